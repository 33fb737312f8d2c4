// Measures whether replays delay what is recorded now: the time from the acknowledgement of detections until they are
// in the live state, while fifty sessions replay as fast as they can. The baseline is the same without sessions.
import { parsePositions } from "../../../services/api/read/position.ts";
import { launchSystem, type System } from "../../support/running/launch-system.ts";
import { startStateApi } from "../../support/running/state-api.ts";
import { type Camera, createCameras, type Frame, pace, replaceTracks, sendFrame } from "../camera-load.ts";
import { parameter } from "../config.ts";
import { observeHistory, observeLiveState } from "../latency/observe.ts";
import { type Comparison, compareAll, quantile } from "../measure.ts";
import { startHelper } from "../processes.ts";
import type { BenchStack } from "../stack.ts";
import { benchReplayedRange } from "./fold-range.ts";
import { keepReplaying } from "./sessions.ts";

const CAMERAS = 12;
const TRACKS_PER_CAMERA = 20;
const RECORDED_SECONDS = 20;
const ROUNDS = 3;

const figures = {
  p50: { name: "live state beside replays, p50", unit: "ms", goal: "" },
  p99: { name: "live state beside replays, p99", unit: "ms", goal: "as without" },
};

export const benchReplays = async (stack: BenchStack): Promise<Comparison[]> => [
  ...(await benchReplayedRange(stack)),
  ...(await benchBesideReplays(stack)),
];

async function benchBesideReplays(stack: BenchStack): Promise<Comparison[]> {
  const seconds = parameter("BENCH_REPLAYS_SECONDS", 15);
  const sessions = parameter("BENCH_REPLAYS_SESSIONS", 50);
  const framesPerSecond = parameter("BENCH_REPLAYS_RATE", 1_000) / TRACKS_PER_CAMERA;
  const settings = { ALLOWED_URL_CIDRS: "127.0.0.0/8", TRACK_TTL: "2" };
  const { system, stop } = await launchSystem(stack.env, `bench_replays_${Date.now()}`, settings);
  const [receiver, hookUrl] = await startHelper<string>("./replays/receiver.ts", []);
  try {
    const [url] = await Promise.all([startStateApi(system), system.start("replay")]);
    const cameras = await createCameras(system.client, CAMERAS, TRACKS_PER_CAMERA);
    await record(system, cameras, framesPerSecond);
    const recorded = cameras.map(({ trackIds }) => trackIds);
    await Promise.all(cameras.map((camera) => replaceTracks(system.client, camera, TRACKS_PER_CAMERA)));
    const measured = () => liveDelay(system, cameras, { framesPerSecond, seconds });
    return await compareAll({
      ...{ figures, rounds: ROUNDS },
      baseline: measured,
      async ours(round) {
        const replays = await keepReplaying({
          url,
          token: system.token,
          hookUrl,
          recorded,
          sessions,
          name: `r${round}`,
        });
        const delay = await measured();
        const { signals, begun } = await replays.stop();
        process.stderr.write(`    ${begun} sessions, ${Math.round(signals / seconds)} signals/s\n`);
        return delay;
      },
    });
  } finally {
    receiver.kill();
    await stop();
  }
}

/** Resolves when the history has it, which replays ask. */
async function record(system: System, cameras: readonly Camera[], framesPerSecond: number): Promise<void> {
  const history = observeHistory(system, () => undefined);
  await pace(cameras, { framesPerSecond, seconds: RECORDED_SECONDS }, async (camera) => {
    for (const where of positionsOf(await sendFrame(system.client, camera))) history.expect(where, performance.now());
  });
  await history.done();
}

async function liveDelay(
  system: System,
  cameras: readonly Camera[],
  load: { readonly framesPerSecond: number; readonly seconds: number },
): Promise<Record<keyof typeof figures, number>> {
  const times: number[] = [];
  const live = await observeLiveState(system, (ms) => times.push(ms));
  await pace(cameras, load, async (camera) => {
    const positions = positionsOf(await sendFrame(system.client, camera));
    for (const where of positions) live.expect(where, performance.now());
  });
  await live.done();
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

function positionsOf({ answer }: Frame) {
  const position = answer.extensions?.position;
  if (answer.data == null || position === undefined) throw new Error(JSON.stringify(answer.errors));
  return parsePositions(position);
}

// Everything that goes on while processes are replaced, besides the cameras and objects of `survive`.
import type { Inspector } from "../support/clients/final-state-inspector.ts";
import type { PreparedSystem } from "../support/running/launch-system.ts";
import type { StageCamera } from "../support/scenes/play-scene.ts";
import { startTwins } from "../support/scenes/twins.ts";
import type { Callers } from "./callers.ts";
import type { Gap } from "./gap.ts";
import { followDetections } from "./traffic/detections.ts";
import { createEarlyTracks } from "./traffic/early.ts";
import { readHistory } from "./traffic/history.ts";
import { decideEvents, readLiveState } from "./traffic/live-state.ts";
import { recordForReplays, replayAgain } from "./traffic/replays.ts";
import { receiveSignals } from "./traffic/signals.ts";
import type { Traffic } from "./traffic/traffic.ts";

export interface LoadsOptions {
  readonly system: PreparedSystem;
  readonly callers: Callers;
  readonly inspector: Inspector;
  readonly ttlMs: number;
  readonly complain: (text: string) => void;
}

export interface Loads {
  readonly gaps: Readonly<Record<"subscriber" | "webhooks", Gap>>;
  /** Begins what needs the zones and tracks of the cameras. */
  beginReaders(stage: readonly StageCamera[]): void;
  /** Resolves when nothing is under way. `stage`: what the cameras have sent. */
  stop(stage: () => readonly StageCamera[]): Promise<void>;
  differences(): Promise<readonly string[]>;
  counts(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

/** Resolves when every subscriber receives. */
export async function startLoads({ system, callers, inspector, ttlMs, complain }: LoadsOptions): Promise<Loads> {
  const { rest } = callers;
  const { client, token } = system;
  const twins = await startTwins(system, inspector, ttlMs);
  const early = await createEarlyTracks(client);
  const recorded = await recordForReplays(client, rest, inspector);
  const first = await followDetections(callers.nextApi, token, complain);
  const second = await followDetections(callers.nextApi, token, complain);
  const dataSourceIds = [...twins.dataSourceIds, early.dataSourceId];
  const signals = await receiveSignals({ rest, inspector, token, ttlMs, dataSourceIds, isEarly: early.isEarly });
  const receiving = [first, second, signals];
  await early.sendUntil(() => receiving.every((each) => each.isListening()));
  twins.begin();
  const all: Traffic[] = [...receiving];
  let twinsDiffer: () => Promise<string | undefined> = async () => undefined;

  return {
    gaps: { subscriber: first.gap, webhooks: signals.gap },
    beginReaders(stage) {
      const dataSourceId = stage[0]?.dataSourceId ?? "";
      all.push(
        readLiveState(rest, stage, complain),
        decideEvents(rest, complain),
        readHistory(client, dataSourceId, complain),
        replayAgain(rest, recorded, complain),
      );
    },
    async stop(stage) {
      for (const traffic of all) await traffic.stop();
      twinsDiffer = await twins.stop();
      const sent = stage().flatMap(({ camera: { detections } }) => detections);
      for (const subscriber of [first, second]) subscriber.expect(sent);
    },
    async differences() {
      const found: string[] = [];
      for (const traffic of all) {
        found.push(...(await traffic.differences()).map((text) => `${traffic.name}: ${text}`));
      }
      const ofTwins = await twinsDiffer();
      return ofTwins === undefined ? found : [...found, `direct producers: ${ofTwins}`];
    },
    counts: () => {
      const sums: Record<string, number> = {};
      for (const [what, count] of all.flatMap((traffic) => Object.entries(traffic.counts()))) {
        sums[what] = (sums[what] ?? 0) + count;
      }
      return sums;
    },
    close: async () => void (await Promise.all(all.map((traffic) => traffic.close()))),
  };
}

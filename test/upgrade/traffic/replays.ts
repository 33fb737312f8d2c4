// Replay sessions of one recording, one after the other: each must send the same signals as the first one, which no
// replacement disturbed.
import { createScene } from "../../../services/cli/demo/scene/scene.ts";
import type { Inspector } from "../../support/clients/final-state-inspector.ts";
import type { GraphQLClient } from "../../support/clients/graphql-client.ts";
import { firstUnequal } from "../../support/oracles/compare.ts";
import { startTally } from "../../support/oracles/signal-tally.ts";
import { until } from "../../support/running/processes.ts";
import { patientClient } from "../../support/scenes/load.ts";
import { createStage, playScene } from "../../support/scenes/play-scene.ts";
import type { RestCaller } from "../callers.ts";
import { repeat, type Traffic } from "./traffic.ts";

const SCENE = { seed: 7, cameras: 1, walkersPerCamera: 3, seconds: 30, fps: 5 };
const START = Date.parse("2026-01-02T00:00:00.000Z");
/** A session then takes about ten seconds, longer than a process is away. */
const SPEED = 3;
const PAUSE_MS = 100;
const POLL_MS = 250;
const SESSION_MS = 600_000;

export interface Recorded {
  readonly trackIds: readonly string[];
  /** Digests of the signals that a session must send. */
  readonly signals: readonly string[];
}

/** Sends the recording, and replays it once. */
export async function recordForReplays(
  impatient: GraphQLClient,
  rest: RestCaller,
  inspector: Inspector,
): Promise<Recorded> {
  const client = patientClient(impatient);
  const scene = createScene({ ...SCENE, start: START });
  await playScene(client, await createStage(client, scene));
  // A session replays a track up to where the log ends, so every track must have expired.
  await inspector.settled();
  const trackIds = scene.cameras.flatMap(({ tracks }) => tracks.map(({ trackId }) => trackId));
  const signals = await replay(rest, { id: "upgrade-first", trackIds, speed: "max" });
  if (signals.length === 0) throw new Error("the first session sent nothing");
  return { trackIds, signals };
}

export function replayAgain(
  rest: RestCaller,
  { trackIds, signals }: Recorded,
  complain: (text: string) => void,
): Traffic {
  let sessions = 0;
  const { stop } = repeat(
    async (n) => {
      const difference = firstUnequal(await replay(rest, { id: `upgrade-${n}`, trackIds, speed: SPEED }), signals);
      if (difference !== undefined) complain(`replay ${n} sent other signals than the first: ${difference}`);
      sessions++;
    },
    PAUSE_MS,
    complain,
  );
  return {
    name: "replays",
    stop,
    differences: async () => [],
    close: async () => undefined,
    counts: () => ({ sessions }),
  };
}

interface Session {
  readonly id: string;
  readonly trackIds: readonly string[];
  readonly speed: number | "max";
}

async function replay(rest: RestCaller, { id, trackIds, speed }: Session): Promise<string[]> {
  const tally = await startTally();
  const path = `/api/replay/${id}`;
  const subscription = { webhook_url: tally.url, workflow_name: "upgrade", signal_type: "track_state" };
  try {
    const begun = await rest.ask("POST", path, { track_ids: trackIds, mode: "auto", speed, ...subscription });
    if (begun.status !== 201) throw new Error(`a replay was answered with ${JSON.stringify(begun)}`);
    const { body } = await until(
      async () => {
        const answer = await rest.ask("GET", path);
        return answer.body.state === "running" ? undefined : answer;
      },
      { timeoutMs: SESSION_MS, pauseMs: POLL_MS },
    ).then((found) => found ?? begun);
    if (body.state !== "finished" || body.errors !== 0) throw new Error(`a replay ended: ${JSON.stringify(body)}`);
    return tally.reported.map(({ digest }) => digest);
  } finally {
    await rest.ask("DELETE", path);
    await tally.close();
  }
}

// A scene sent through the API while processes die: each camera repeats a mutation until the API accepts it, and only then
// sends the next. So the API accepts the whole scene, in order.
import { createScene } from "../../services/cli/demo/scene/scene.ts";
import type { SceneOptions } from "../../services/cli/demo/scene/types.ts";
import { asking, type GraphQLClient } from "./graphql-client.ts";
import { createStage, playDelivery, type StageCamera } from "./play-scene.ts";
import { until } from "./processes.ts";

export interface Load {
  readonly stage: readonly StageCamera[];
  /** Accepted mutations, and attempts that failed. */
  counts(): { readonly accepted: number; readonly repeated: number };
  /** Whether every camera waits for `hurry`: nothing more is sent before. */
  heldBack(): boolean;
  /** Sends without pauses from now on; the last tenth is held back until then, so that the load outlasts the faults. */
  hurry(): void;
  /** Resolves when the last mutation was accepted; rejects at the first refusal that no repetition can mend. */
  readonly done: Promise<void>;
}

const REPEAT_AFTER_MS = 50;
/** Longer than any process or store is away. */
const ACCEPTED_WITHIN_MS = 150_000;
/** The first time-out of impatient clients: most mutations take longer. */
const FIRST_TIMEOUT_MS = 3;
const LONGEST_TIMEOUT_MS = 20_000;

export interface LoadOptions extends Partial<SceneOptions> {
  readonly seed: number;
  /** The pause between two mutations of a camera. */
  readonly pauseMs: number;
  /** Clients hang up before the answer can be there, and send the same again, with longer and longer time-outs. */
  readonly impatient?: boolean;
  /** The first camera's recording of the day before is sent beside its live one, into the same data source. */
  readonly backfill?: boolean;
}

/** Resolves when the cameras and their zones exist; the load then goes on by itself. */
export async function startLoad(client: GraphQLClient, options: LoadOptions): Promise<Load> {
  const { pauseMs, impatient = false, backfill = false, ...scene } = options;
  const settled = { cameras: 4, walkersPerCamera: 4, seconds: 60, fps: 5, start: START, ...scene };
  const live = await createStage(client, createScene(settled));
  const stage = backfill ? [...live, ...yesterdayOf(live, settled)] : live;
  const hurried = Promise.withResolvers<void>();
  let pause = pauseMs;
  let accepted = 0;
  let repeated = 0;
  let waiting = 0;
  const patient = patientClient(client, () => repeated++, impatient ? FIRST_TIMEOUT_MS : undefined);

  async function play({ camera, dataSourceId }: StageCamera): Promise<void> {
    const keptBack = Math.floor(camera.deliveries.length * 0.9);
    for (const [i, delivery] of camera.deliveries.entries()) {
      if (i === keptBack) {
        waiting++;
        await hurried.promise;
      }
      await playDelivery(patient, delivery, dataSourceId);
      accepted++;
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  const done = Promise.all(stage.map(play)).then(() => undefined);
  done.catch(() => undefined);
  return {
    stage,
    counts: () => ({ accepted, repeated }),
    heldBack: () => waiting === stage.length,
    hurry: () => {
      pause = 0;
      hurried.resolve();
    },
    done,
  };
}

/** The same data source and zones, with other tracks. */
function yesterdayOf([first]: readonly StageCamera[], scene: SceneOptions): StageCamera[] {
  const { cameras } = createScene({
    ...scene,
    cameras: 1,
    seed: scene.seed + YESTERDAY_SEED,
    start: scene.start - DAY_MS,
  });
  return first === undefined ? [] : cameras.map((camera) => ({ ...first, camera }));
}

const YESTERDAY_SEED = 1_000_000;
const DAY_MS = 86_400_000;
const START = Date.parse("2026-01-01T00:00:00.000Z");

/** Repeats a request without an answer, or with UNAVAILABLE; `firstTimeoutMs`: hangs up after that, doubled each time. */
export function patientClient(
  client: GraphQLClient,
  onRepeat: () => void = () => undefined,
  firstTimeoutMs?: number,
): GraphQLClient {
  const send: GraphQLClient["send"] = (query, variables, headers) => {
    let attempts = 0;
    return until(
      async () => {
        const timeoutMs = firstTimeoutMs && Math.min(firstTimeoutMs * 2 ** attempts, LONGEST_TIMEOUT_MS);
        if (attempts++ > 0) onRepeat();
        const answer = await client.send(query, variables, headers, timeoutMs);
        if (answer.errors?.some(({ extensions }) => extensions.code === "UNAVAILABLE")) {
          throw new Error(JSON.stringify(answer.errors));
        }
        return answer as never;
      },
      { timeoutMs: ACCEPTED_WITHIN_MS, pauseMs: REPEAT_AFTER_MS },
    );
  };
  return asking(send);
}

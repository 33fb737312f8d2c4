// A scene sent through the API while processes die: each camera sends its next mutation only when the one before was
// answered with yes, and repeats it until it is. So what is accepted is the whole scene, in order.
import { createScene } from "../../services/cli/demo/scene/scene.ts";
import type { SceneOptions } from "../../services/cli/demo/scene/types.ts";
import { asking, type GraphQLClient } from "./graphql-client.ts";
import { createStage, playDelivery, type StageCamera } from "./play-scene.ts";
import { until } from "./processes.ts";

export interface Load {
  readonly stage: readonly StageCamera[];
  /** Mutations answered with yes, and attempts that were not. */
  counts(): { readonly accepted: number; readonly repeated: number };
  /** Without pauses from now on; the last tenth is kept back until then, so that a load outlasts what disturbs it. */
  hurry(): void;
  /** Resolves when the last mutation was accepted; rejects at the first refusal that repeating cannot help. */
  readonly done: Promise<void>;
}

const REPEAT_AFTER_MS = 50;
/** Longer than any process or store is away. */
const ACCEPTED_WITHIN_MS = 150_000;
/** Of those without patience: most mutations take longer than that. */
const FIRST_TIMEOUT_MS = 3;
const LONGEST_TIMEOUT_MS = 20_000;

export interface LoadOptions extends Partial<SceneOptions> {
  readonly seed: number;
  /** Between two mutations of a camera. */
  readonly pauseMs: number;
  /** Hang up before the answer can be there, and send the same again, with more and more patience. */
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
  const patient = patientClient(client, () => repeated++, impatient ? FIRST_TIMEOUT_MS : undefined);

  async function play({ camera, dataSourceId }: StageCamera): Promise<void> {
    const keptBack = Math.floor(camera.deliveries.length * 0.9);
    for (const [i, delivery] of camera.deliveries.entries()) {
      if (i === keptBack) await hurried.promise;
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
    hurry: () => {
      pause = 0;
      hurried.resolve();
    },
    done,
  };
}

/** The same data source and zones, with tracks of its own. */
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

/** Sends again what got no answer, or UNAVAILABLE; with a first time-out it hangs up, and waits twice as long each time. */
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

// Sends a scene through the API while processes die. Each camera repeats a mutation until the API accepts it, and
// only then sends the next. So the API accepts all that is sent, in order.
import { MUTATIONS_PER_DOCUMENT } from "../../../services/cli/demo/live/mutations.ts";
import { createScene } from "../../../services/cli/demo/scene/scene.ts";
import type { SceneCamera, SceneOptions } from "../../../services/cli/demo/scene/types.ts";
import { asking, type GraphQLClient } from "../clients/graphql-client.ts";
import { until } from "../running/processes.ts";
import { createStage, playDeliveries, type StageCamera } from "./play-scene.ts";

export interface Load {
  /** The whole scene; once a concluded load is done, as much of it as was sent. */
  readonly stage: readonly StageCamera[];
  /** Accepted mutations, and attempts that failed. */
  counts(): { readonly accepted: number; readonly repeated: number };
  /** Whether every camera waits for `hurry` or `conclude`: nothing more is sent before. */
  heldBack(): boolean;
  /**
   * Sends without pauses from now on, and many mutations at once unless clients are impatient. The last tenth is held
   * back until then, so that the load outlasts the faults.
   */
  hurry(): void;
  /** The same, but only for another tenth of the scene. */
  conclude(): void;
  /** Resolves when the last mutation was accepted; rejects at the first refusal that no repetition can mend. */
  readonly done: Promise<void>;
}

const REPEAT_AFTER_MS = 50;
/**
 * Longer than any process or store is away, even a process that is killed again at each start, and shorter than a
 * test may take.
 */
const ACCEPTED_WITHIN_MS = 250_000;
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
  let repeated = 0;
  const patient = patientClient(client, () => repeated++, impatient ? FIRST_TIMEOUT_MS : undefined);
  const live = await createStage(patientClient(client), createScene(settled));
  let stage: readonly StageCamera[] = backfill ? [...live, ...yesterdayOf(live, settled)] : live;
  const hurried = Promise.withResolvers<void>();
  let pause = pauseMs;
  let together = 1;
  let concluding = false;
  let accepted = 0;
  let waiting = 0;

  /** Resolves with the camera as far as its scene was sent. */
  async function play({ camera, dataSourceId, zoneIds }: StageCamera): Promise<StageCamera> {
    const { deliveries } = camera;
    const tenth = Math.floor(deliveries.length / 10);
    let end = Number.POSITIVE_INFINITY;
    let next = 0;
    while (next < Math.min(end, deliveries.length)) {
      if (next === deliveries.length - tenth) {
        waiting++;
        await hurried.promise;
      }
      if (concluding) end = Math.min(end, next + tenth);
      const document = deliveries.slice(next, Math.min(end, next + together));
      await playDeliveries(patient, document, dataSourceId);
      next += document.length;
      accepted += document.length;
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return { camera: partOf(camera, next), dataSourceId, zoneIds };
  }

  const done = Promise.all(stage.map(play)).then((played) => {
    stage = played;
  });
  done.catch(() => undefined);
  const hurry = () => {
    pause = 0;
    if (!impatient) together = MUTATIONS_PER_DOCUMENT;
    hurried.resolve();
  };
  return {
    get stage() {
      return stage;
    },
    counts: () => ({ accepted, repeated }),
    heldBack: () => waiting === stage.length,
    hurry,
    conclude: () => {
      concluding = true;
      hurry();
    },
    done,
  };
}

/** The camera as if its scene had ended after so many deliveries. */
function partOf(camera: SceneCamera, count: number): SceneCamera {
  const deliveries = camera.deliveries.slice(0, count);
  const sent = new Set(deliveries.flatMap(({ detections }) => detections));
  const ended = new Set(deliveries.flatMap((each) => (each.type === "trackExpired" ? [each.trackId] : [])));
  const tracks = camera.tracks.map((track) => ({
    ...track,
    detections: track.detections.filter((detection) => sent.has(detection)),
    endTime: ended.has(track.trackId) ? track.endTime : undefined,
  }));
  return {
    ...camera,
    deliveries,
    detections: camera.detections.filter((detection) => sent.has(detection)),
    tracks: tracks.filter(({ detections }) => detections.length > 0),
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

/**
 * Repeats a request that got no answer or UNAVAILABLE. With `firstTimeoutMs` the client hangs up after this time, and
 * doubles it at each repetition.
 */
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

// Simulates the order in which a camera pipeline sends its detections: some are late, some are sent twice.
import type { Random } from "./random.ts";
import type { CameraDelivery, SceneDetection, SceneTrack } from "./types.ts";

/** A repeated message comes within this time: clients repeat a request without an answer, not one long past. */
const REPEAT_WITHIN_MS = 2_000;

export interface DeliveryOptions {
  readonly duplicateShare: number;
  readonly maxLateMs: number;
  /** Interval of the frames, ms. A delay is a multiple of it, because late detections are still sent with a frame. */
  readonly frameMs: number;
}

/**
 * Returns the deliveries, sorted by `deliverAt`. The start of a track is never late. Its end is sent after all its
 * detections, at most `maxLateMs` late. The API refuses detections of unknown tracks.
 */
export function scheduleDeliveries(
  tracks: readonly SceneTrack[],
  random: Random,
  options: DeliveryOptions,
): CameraDelivery[] {
  const deliveries: CameraDelivery[] = [];
  const between = new Map<number, SceneDetection[]>();

  for (const track of tracks) {
    const { first, middle, last } = parts(track);
    let newest = first.timestamp;
    deliveries.push(started(track, first));
    for (const detection of middle) {
      const deliverAt = detection.timestamp + lateness(random, options);
      newest = Math.max(newest, deliverAt);
      const together = between.get(deliverAt);
      if (together) together.push(detection);
      else between.set(deliverAt, [detection]);
    }
    if (track.endTime !== undefined) deliveries.push(ended(track.trackId, track.endTime, last, newest));
  }
  for (const [deliverAt, detections] of between) deliveries.push({ type: "detectionsSeen", deliverAt, detections });
  return [...deliveries, ...repeats(deliveries, random, options)].sort(inOrder);
}

/** The last detection is sent with the end when both have the same time. */
function parts({ detections, endTime }: SceneTrack) {
  const [first, ...rest] = detections;
  if (!first) throw new RangeError("a track has at least one detection");
  const last = rest.at(-1)?.timestamp === endTime ? rest.at(-1) : undefined;
  return { first, middle: last ? rest.slice(0, -1) : rest, last };
}

const started = ({ trackId, tag }: SceneTrack, first: SceneDetection): CameraDelivery => ({
  type: "trackStarted",
  deliverAt: first.timestamp,
  trackId,
  tag,
  startTime: first.timestamp,
  detections: [first],
});

const ended = (
  trackId: string,
  endTime: number,
  last: SceneDetection | undefined,
  newestDelivered: number,
): CameraDelivery => ({
  type: "trackExpired",
  deliverAt: Math.max(endTime, newestDelivered),
  trackId,
  endTime,
  detections: last ? [last] : [],
});

function lateness(random: Random, { maxLateMs, frameMs }: DeliveryOptions): number {
  if (maxLateMs === 0 || random.chance(0.5)) return 0;
  return Math.floor(random.between(0, maxLateMs) / frameMs) * frameMs;
}

function repeats(
  deliveries: readonly CameraDelivery[],
  random: Random,
  { duplicateShare }: DeliveryOptions,
): CameraDelivery[] {
  return deliveries
    .filter(() => random.chance(duplicateShare))
    .map((delivery) => ({
      ...delivery,
      deliverAt: delivery.deliverAt + Math.floor(random.between(0, REPEAT_WITHIN_MS)),
    }));
}

const RANK = { trackStarted: 0, detectionsSeen: 1, trackExpired: 2 } as const;

const inOrder = (a: CameraDelivery, b: CameraDelivery): number =>
  a.deliverAt - b.deliverAt || RANK[a.type] - RANK[b.type];

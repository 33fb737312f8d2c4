// The expected intersections, by brute force: every detection against every zone, nothing incremental, and nothing
// shared with the code under test.
import { contains, type Rings, sharedArea } from "./oracle-area.ts";

/** px²; boxes that share less only touch. */
const MIN_AREA = 1e-9;

const TRACK_TTL_MS = 15_000;

export interface OracleDetection {
  readonly trackId: string;
  /** ms since the epoch. */
  readonly timestamp: number;
  /** Closed ring in image pixels. */
  readonly ring: readonly (readonly number[])[];
}

interface OracleZone {
  readonly zoneId: string;
  /** GeoJSON polygon coordinates in image pixels. */
  readonly rings: Rings;
}

export interface OracleInput {
  /** In any order; of those with the same track and timestamp the first counts. */
  readonly detections: readonly OracleDetection[];
  readonly zones: readonly OracleZone[];
  /**
   * Explicit ends by track, in milliseconds. An end is not before the track's last detection, nor after it by more
   * than the TTL.
   */
  readonly endTimes?: ReadonlyMap<string, number>;
  /**
   * At this instant a track is open if it has no explicit end and a detection within the TTL before. Without `until`
   * all tracks have expired.
   */
  readonly until?: number;
  readonly ttlMs?: number;
}

export interface OracleIntersection {
  readonly trackId: string;
  readonly zoneId: string;
  readonly startTime: number;
  readonly endTime: number | null;
}

/** Sorted by track, zone and start time. */
export function expectedIntersections(input: OracleInput): OracleIntersection[] {
  const found: OracleIntersection[] = [];
  for (const [trackId, detections] of byTrack(input.detections)) {
    const finalEnd = finalEndOf(trackId, detections, input);
    for (const { zoneId, rings } of input.zones) {
      const box = boundsOf(rings);
      const inside = detections.map(({ ring }) => isInside(ring, rings, box));
      for (const [startTime, endTime] of stays(detections, inside, finalEnd, input.ttlMs ?? TRACK_TTL_MS))
        found.push({ trackId, zoneId, startTime, endTime });
    }
  }
  return found.sort(
    (a, b) => compare(a.trackId, b.trackId) || compare(a.zoneId, b.zoneId) || a.startTime - b.startTime,
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function byTrack(detections: readonly OracleDetection[]): Map<string, OracleDetection[]> {
  const tracks = new Map<string, Map<number, OracleDetection>>();
  for (const detection of detections) {
    const track = tracks.get(detection.trackId) ?? new Map<number, OracleDetection>();
    tracks.set(detection.trackId, track);
    if (!track.has(detection.timestamp)) track.set(detection.timestamp, detection);
  }
  return new Map(
    [...tracks].map(([trackId, track]) => [trackId, [...track.values()].sort((a, b) => a.timestamp - b.timestamp)]),
  );
}

/** Returns the end of an intersection that lasts to the track's last detection, null when it still goes on. */
function finalEndOf(trackId: string, detections: readonly OracleDetection[], input: OracleInput): number | null {
  const last = detections.at(-1)?.timestamp ?? 0;
  const explicit = input.endTimes?.get(trackId);
  if (explicit !== undefined) return explicit;
  const isOpen = input.until !== undefined && input.until - last <= (input.ttlMs ?? TRACK_TTL_MS);
  return isOpen ? null : last;
}

function stays(
  detections: readonly OracleDetection[],
  inside: readonly boolean[],
  finalEnd: number | null,
  ttlMs: number,
): [number, number | null][] {
  const found: [number, number | null][] = [];
  let since: number | undefined;
  for (const [index, { timestamp }] of detections.entries()) {
    const before = detections[index - 1]?.timestamp ?? timestamp;
    if (since !== undefined && timestamp - before > ttlMs) {
      found.push([since, before]);
      since = undefined;
    }
    if (since !== undefined && !inside[index]) {
      found.push([since, timestamp]);
      since = undefined;
    }
    if (since === undefined && inside[index]) since = timestamp;
  }
  if (since !== undefined) found.push([since, finalEnd]);
  return found;
}

interface Bounds {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

function boundsOf(rings: Rings): Bounds {
  const xs = rings.flatMap((ring) => ring.map(([x = 0]) => x));
  const ys = rings.flatMap((ring) => ring.map(([, y = 0]) => y));
  return { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) };
}

function isInside(ring: OracleDetection["ring"], zone: Rings, bounds: Bounds): boolean {
  const own = boundsOf([ring]);
  if (own.maxX < bounds.minX || own.minX > bounds.maxX || own.maxY < bounds.minY || own.minY > bounds.maxY)
    return false;
  // A polygon without area counts by its centre.
  if (sharedArea([ring], [ring]) <= MIN_AREA)
    return contains(zone, (own.minX + own.maxX) / 2, (own.minY + own.maxY) / 2);
  return sharedArea([ring], zone) > MIN_AREA;
}

// Seeded random camera-logs: walkers over overlapping zones, with every kind of event.
import type { CameraLogEvent, Detection, Zone } from "../../../../schemas/events.ts";
import {
  created,
  deleted,
  drawn,
  expired,
  polygon,
  recordedBy,
  rectangle,
  redrawn,
  seen,
  T0,
  updated,
} from "./camera.ts";

export type Random = () => number;

/** Mulberry32: uniform in [0, 1). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const below = (random: Random, limit: number): number => Math.floor(random() * limit);

const CAMERAS = ["cam", "other"];

/** Picks one of four tracks of a camera. The cameras give two of theirs the same ids. */
function anyTrackId(random: Random, dataSourceId: string): string {
  const number = below(random, 4);
  return `${number < 2 ? "both" : dataSourceId}-${number}`;
}

/**
 * Times advance by 0.1 to 2 s, sometimes by a pause of 20 or 100 s. Some detections are late, repeated or without
 * polygon.
 */
export function randomLog(random: Random, length: number): CameraLogEvent[] {
  const log: CameraLogEvent[] = CAMERAS.map((dataSourceId, i) =>
    drawn(randomZone(random, { dataSourceId, zoneId: `z${i}` })),
  );
  const lastSeen = new Map<string, number>();
  let at = 0;
  while (log.length < length) {
    at += random() < 0.02 ? 20_000 * 5 ** below(random, 2) : 100 + below(random, 1_900);
    log.push(randomEvent(random, at, lastSeen));
  }
  return log;
}

function randomEvent(random: Random, at: number, lastSeen: Map<string, number>): CameraLogEvent {
  const camera = below(random, CAMERAS.length);
  const dataSourceId = CAMERAS[camera] ?? "";
  const trackId = anyTrackId(random, dataSourceId);
  const kind = random();
  if (kind < 0.04) return redrawn(randomZone(random, { dataSourceId, zoneId: `z${camera + 2 * below(random, 3)}` }));
  if (kind < 0.05) return deleted({ dataSourceId, zoneId: `z${camera + 2 * below(random, 3)}` });
  if (kind < 0.08) return updated({ trackId, dataSourceId, endTime: T0 + at + below(random, 4_000) - 2_000 });
  if (kind < 0.09) return updated({ trackId, dataSourceId, cleared: ["endTime"] });
  if (kind < 0.11) return created({ trackId, dataSourceId, tag: kind < 0.1 ? "car" : "bus" });
  if (kind < 0.2) {
    const ended = expired((lastSeen.get(`${dataSourceId} ${trackId}`) ?? T0) - T0, trackId);
    return ended.type === "TrackExpired" ? { ...ended, event: { ...ended.event, dataSourceId } } : ended;
  }
  return recordedBy(dataSourceId, ...randomDetections(random, at, dataSourceId, lastSeen));
}

function randomDetections(
  random: Random,
  at: number,
  dataSourceId: string,
  lastSeen: Map<string, number>,
): Detection[] {
  return Array.from({ length: 1 + below(random, 4) }, () => {
    const trackId = anyTrackId(random, dataSourceId);
    const lateBy = random() < 0.1 ? below(random, 3_000) : 0;
    const position = { longitude: random() * 0.01, latitude: 50 + random() * 0.01, altitude: null, crs: null };
    const detection = seen(at - lateBy, 80 + random() * 140, {
      trackId,
      ...(random() < 0.2 ? { position } : {}),
      ...(random() < 0.05 ? { polygon: null, position } : {}),
    });
    const key = `${dataSourceId} ${trackId}`;
    lastSeen.set(key, Math.max(lastSeen.get(key) ?? 0, detection.timestamp));
    return detection;
  });
}

function randomZone(random: Random, overrides: Partial<Zone>): Partial<Zone> {
  const left = 60 + random() * 80;
  return {
    ...overrides,
    polygon: polygon(rectangle(left, 0, left + 20 + random() * 80, 100)),
    active: random() < 0.9,
    anchor: random() < 0.8 ? "area" : "bottom_center",
    enterDetections: random() < 0.7 ? 1 : 3,
    exitDelayMs: random() < 0.7 ? 0 : 3_000,
  };
}

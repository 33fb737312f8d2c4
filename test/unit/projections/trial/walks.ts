// Logs of a camera, zones to try on them, and the intersections of live state for such a zone.
import { dueExpiries } from "../../../../projections/live/partition.ts";
import type { TrialStay } from "../../../../projections/trial/zone-trial.ts";
import type { CameraLogEvent, Detection, Zone } from "../../../../schemas/events.ts";
import { createCamera, polygon, recorded, rectangle, seen, settings, T0, updated, zone } from "../live/camera.ts";
import { below, type Random } from "../live/random-log.ts";

/** Later than everything in a log, and than every expiry. */
export const TRIAL_END = T0 + 10_000_000;

const SHAPES = [
  polygon([0, 0, 300, 0, 300, 90, 250, 90, 250, 50, 50, 50, 50, 90, 0, 90, 0, 0]),
  polygon(rectangle(100, 0, 200, 100)),
  polygon(rectangle(0, 0, 300, 300), rectangle(60, 20, 240, 80)),
  polygon([150, 10, 290, 90, 10, 90, 150, 10]),
];

export function anyTriedZone(random: Random): Zone {
  return zone({
    polygon: SHAPES[below(random, SHAPES.length)] ?? polygon(),
    anchor: random() < 0.7 ? "area" : "bottom_center",
    enterDetections: random() < 0.6 ? 1 : 3,
    exitDelayMs: random() < 0.6 ? 0 : 3_000,
  });
}

/** Messages with late and repeated detections, silences, detections without a polygon, and one end for some tracks. */
export function trialWalk(random: Random, tracks: number): CameraLogEvent[] {
  const log: CameraLogEvent[] = [];
  const place = new Map<string, number>();
  const ended = new Set<string>();
  for (let at = 0; at < 90_000; at += 1 + below(random, 500)) {
    const trackId = `t${below(random, tracks)}`;
    const x = (place.get(trackId) ?? random() * 300) + (random() - 0.5) * 60;
    place.set(trackId, x);
    const lateBy = random() < 0.1 ? below(random, 3_000) : 0;
    const detection = seen(at - lateBy, x, { trackId, polygon: anyOutline(random, x) });
    log.push(recorded(detection, ...(random() < 0.05 ? [detection] : [])));
    if (random() < 0.01) at += 10_000 + below(random, 10_000);
    if (random() > 0.005 || ended.has(trackId)) continue;
    ended.add(trackId);
    log.push(updated({ trackId, endTime: T0 + at + below(random, 4_000) - 2_000 }));
  }
  return log;
}

/** An upright box from any corner, another polygon, one with a hole, or none. */
function anyOutline(random: Random, x: number): Detection["polygon"] {
  const [left, right, top, bottom] = [x - 5 - random(), x + 5, 45, 55 + random()];
  const outlines = [
    rectangle(left, top, right, bottom),
    rectangle(right, bottom, left, top),
    [left, top, left, bottom, right, bottom, right, top, left, top],
    [left, bottom, x, top, right, bottom, left, bottom],
  ];
  const outline = outlines[below(random, outlines.length)] ?? [];
  const kind = random();
  if (kind < 0.05) return null;
  return kind < 0.15 ? polygon(outline, rectangle(x - 1, 53, x + 1, 54)) : polygon(outline);
}

export type ShownStay = Pick<TrialStay, "trackId" | "startTime" | "endTime">;

export function liveStays(log: readonly CameraLogEvent[], tried: Zone, reorderMs: number): ShownStay[] {
  const camera = createCamera({ reorderMs });
  camera.fold({ type: "ZoneCreated", event: { zone: tried } }, ...log);
  const question = { nowMs: TRIAL_END, caughtUp: true, readUpTo: camera.offset };
  const ends = dueExpiries(camera.state, question, { ...settings, reorderMs });
  camera.fold(...ends.map((event): CameraLogEvent => ({ type: "TrackExpired", event })));
  const newest = new Map(camera.out.lists["zone-intersections"].map((change) => [change.intersectionId, change]));
  return sortedStays([...newest.values()]);
}

export const sortedStays = (stays: readonly ShownStay[]): ShownStay[] =>
  stays
    .map(({ trackId, startTime, endTime }) => ({ trackId, startTime, endTime }))
    .sort((a, b) => (a.trackId < b.trackId ? -1 : a.trackId > b.trackId ? 1 : a.startTime - b.startTime));

// Seeded walks over geofences that change on the way. All coordinates are on a grid, so that positions lie on borders
// and corners again and again.
import type { Changed } from "../../../schemas/catalog/changed.ts";
import type { GeofenceFields } from "../../../schemas/catalog/geofence.ts";
import type { Detection } from "../../../schemas/events.ts";
import { below, type Random } from "../../unit/projections/live/random-log.ts";
import type { OracleStep } from "../oracles/geofence-oracle.ts";
import { detection } from "./detection.ts";

export type WalkStep =
  | { readonly kind: "change"; readonly event: Changed<GeofenceFields> }
  | { readonly kind: "seen"; readonly detection: Detection };

type Rings = readonly (readonly number[])[];

const shapes: readonly ((x: number, y: number, size: number) => Rings)[] = [
  (x, y, size) => [square(x, y, size)],
  (x, y, size) => [square(x, y, 3 * size), square(x + size, y + size, size)],
  (x, y, size) => [[x, y, x + 2 * size, y, x, y + 2 * size, x, y]],
  (x, y, size) => [[x, y, x + 4 * size, y, x + 4 * size, y + 4 * size, x + 2 * size, y + size, x, y + 4 * size, x, y]],
];

const square = (x: number, y: number, size: number): number[] => [
  ...[x, y, x + size, y],
  ...[x + size, y + size, x, y + size, x, y],
];

/** 2026-01-01T00:00:00Z. */
const START = 1_767_225_600_000;
const BOX = { rings: [[0, 0, 10, 0, 10, 10, 0, 10, 0, 0]], crs: null };
const FENCES = 12;
const TRACKS = 3;

export function randomWalk(random: Random, length: number): WalkStep[] {
  const steps: WalkStep[] = [];
  const known = new Set<string>();
  const places = new Map<string, readonly [number, number]>();
  let at = 0;
  while (steps.length < length) {
    at += random() < 0.02 ? 20_000 : 100 + below(random, 900);
    steps.push(random() < 0.12 ? { kind: "change", event: anyChange(random, known) } : move(random, at, places));
  }
  return steps;
}

function anyChange(random: Random, known: Set<string>): Changed<GeofenceFields> {
  const id = `g${below(random, FENCES)}`;
  const nothing = { name: null, labels: null, siteId: null, pointOfInterestId: null, bounds: null, active: null };
  const size = 1 + below(random, 3);
  const shape = shapes[below(random, shapes.length)] ?? (() => []);
  const bounds = { rings: shape(below(random, 12), below(random, 12), size), crs: null };
  if (!known.has(id)) {
    known.add(id);
    const set = { ...nothing, name: id, labels: [], siteId: "s", bounds, active: random() < 0.9 };
    return { id, change: "created", at: 0, set, cleared: [] };
  }
  const kind = random();
  if (kind < 0.2) {
    known.delete(id);
    return { id, change: "deleted", at: 0, set: nothing, cleared: [] };
  }
  if (kind < 0.5) return { id, change: "updated", at: 0, set: { ...nothing, active: random() < 0.5 }, cleared: [] };
  if (kind < 0.6) return { id, change: "updated", at: 0, set: { ...nothing, name: "new" }, cleared: [] };
  return { id, change: "updated", at: 0, set: { ...nothing, bounds }, cleared: [] };
}

function move(random: Random, at: number, places: Map<string, readonly [number, number]>): WalkStep {
  const trackId = `t${below(random, TRACKS)}`;
  const [x, y] = places.get(trackId) ?? [below(random, 16), below(random, 16)];
  const place = [clamp(x + below(random, 5) / 2 - 1), clamp(y + below(random, 5) / 2 - 1)] as const;
  places.set(trackId, place);
  const position = { longitude: place[0], latitude: place[1], altitude: null, crs: null };
  const isSeen = random() < 0.85;
  return {
    kind: "seen",
    detection: detection({ trackId, timestamp: START + at, polygon: BOX, position: isSeen ? position : null }),
  };
}

const clamp = (value: number): number => Math.min(Math.max(value, 0), 16);

/** The same as the oracle reads it: folds the patches by itself. */
export function oracleSteps(steps: readonly WalkStep[]): OracleStep[] {
  const fences = new Map<string, { bounds: Rings; active: boolean }>();
  return steps.flatMap((step): OracleStep[] => {
    if (step.kind === "seen") {
      const { trackId, timestamp, position } = step.detection;
      const place = position === null ? null : [position.longitude, position.latitude];
      return [{ kind: "seen", trackId, at: timestamp, position: place }];
    }
    const { id, change, set } = step.event;
    const before = fences.get(id);
    if (change === "deleted") fences.delete(id);
    else {
      const bounds = set.bounds?.rings ?? before?.bounds ?? [];
      fences.set(id, { bounds, active: set.active ?? before?.active ?? false });
    }
    const fence = fences.get(id);
    return [{ kind: "geofence", id, fence: { rings: fence?.active ? fence.bounds.map(pointsOf) : undefined } }];
  });
}

const pointsOf = (ring: readonly number[]): number[][] =>
  ring.flatMap((x, i) => (i % 2 === 0 ? [[x, ring[i + 1] ?? 0]] : []));

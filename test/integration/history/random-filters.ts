import type {
  DetectionFilter,
  FilterDateTimeOffsetInput,
  FilterIDInput,
  FilterPointInput,
  FilterStringInput,
  FilterTimeRangeInput,
  FilterTrackInput,
  TimeRangeInput,
  ZoneIntersectionFilter,
} from "../../../schemas/filters.ts";
import { square } from "../../support/scenes/zone.ts";
import { pick, type Random, START, sources, tags, time, zones } from "./world.ts";

function id(random: Random, ids: readonly string[]): FilterIDInput {
  return pick<() => FilterIDInput>(random, [
    () => ({ eq: pick(random, ids) }),
    () => ({ ne: pick(random, ids) }),
    () => ({ in: [pick(random, ids), pick(random, ids)] }),
    () => ({ in: [pick(random, ids)] }),
    () => ({ in: [] }),
    () => ({ eq: pick(random, ids), ne: pick(random, ids) }),
    () => ({ eq: null }),
  ])();
}

function text(random: Random, words: readonly string[]): FilterStringInput {
  return pick<() => FilterStringInput>(random, [
    () => ({ eq: pick(random, words) }),
    () => ({ ne: pick(random, words) }),
    () => ({ in: [pick(random, words), pick(random, words)] }),
    () => ({ like: pick(random, ["PER", "a", "%", "_", "'", "", "50%"]) }),
    () => ({ attributeExists: random() < 0.5 }),
  ])();
}

function instant(random: Random): FilterDateTimeOffsetInput {
  return pick<() => FilterDateTimeOffsetInput>(random, [
    () => ({ eq: time(random) }),
    () => ({ between: [time(random), time(random)] }),
    () => ({ between: [START, time(random)] }),
    () => ({ between: [START, START + 60_000] }),
    () => ({ attributeExists: random() < 0.8 }),
  ])();
}

function range(random: Random): TimeRangeInput {
  const [a, b] = [time(random), time(random)];
  return {
    start: random() < 0.2 ? null : Math.min(a, b),
    ...(random() < 0.2 ? {} : { end: Math.max(a, b) }),
  };
}

function timeRange(random: Random): FilterTimeRangeInput {
  return pick<() => FilterTimeRangeInput>(random, [
    () => ({ containing: range(random) }),
    () => ({ containedBy: range(random) }),
    () => ({ intersecting: range(random) }),
    () => ({ startingWithin: range(random) }),
    () => ({ endingWithin: range(random) }),
    () => ({ containingInstant: time(random) }),
    () => ({ before: time(random) }),
    () => ({ after: time(random) }),
  ])();
}

/** Corners are off the grid of positions: borders.test.ts has those on it. */
function point(random: Random): FilterPointInput {
  const at = () => Math.floor(random() * 80) / 1_000 + 0.000_5;
  return pick<() => FilterPointInput>(random, [
    () => ({ in: { type: "Polygon", coordinates: [square(0.05, at(), at())] } }),
    () => ({ in: { type: "Polygon", coordinates: [square(0.08, 0.0105, 0.0105), square(0.03, 0.0305, 0.0305)] } }),
    () => ({ near: { point: { type: "Point", coordinates: [at(), at()] }, radius: random() * 8_000 } }),
    () => ({ attributeExists: random() < 0.5 }),
    () => ({
      near: { point: { type: "Point", coordinates: [at(), at(), 3] }, radius: 4_000 },
      attributeExists: true,
    }),
  ])();
}

function nested<F extends object>(random: Random, depth: number, leaf: () => F, again: (depth: number) => F): object {
  if (depth === 0 || random() < 0.4) return leaf();
  return pick<() => object>(random, [
    () => ({ and: [again(depth - 1), again(depth - 1)] }),
    () => ({ or: [again(depth - 1), again(depth - 1)] }),
    () => ({ not: again(depth - 1) }),
    () => ({ ...leaf(), not: again(depth - 1) }),
    () => ({ ...leaf(), or: [again(depth - 1), again(depth - 1)] }),
    () => ({ or: [] }),
    () => ({ and: [] }),
  ])();
}

const property = (random: Random) => ({
  ...(random() < 0.7 ? { type: text(random, ["plate", "color", "x"]) } : {}),
  ...(random() < 0.7 ? { value: text(random, ["red", "blue", "AB-1"]) } : {}),
});

export function trackFilter(random: Random, depth = 2): FilterTrackInput {
  const trackIds = ["track-0-0", "track-0-1", "track-1-2", "track-3", "none"];
  const leaf = (): FilterTrackInput =>
    pick<() => FilterTrackInput>(random, [
      () => ({ id: id(random, trackIds) }),
      () => ({ dataSourceId: id(random, sources) }),
      () => ({ time: instant(random) }),
      () => ({ timeRange: timeRange(random) }),
      () => ({ timeRange: timeRange(random), dataSourceId: id(random, sources) }),
      () => ({ finished: random() < 0.5 ? { eq: random() < 0.5 } : { ne: random() < 0.5 } }),
      () => ({ tag: text(random, [...tags, "CAR", "it's"]) }),
      () => ({ position: point(random) }),
      () => ({ position: point(random), dataSourceId: id(random, sources) }),
      () => ({ identifier: property(random) }),
      () => ({ attribute: property(random) }),
      () => ({ modelId: id(random, ["m1", "m2", "m3"]) }),
    ])();
  return nested(random, depth, leaf, (left) => trackFilter(random, left)) as FilterTrackInput;
}

export function detectionFilter(random: Random, depth = 2): DetectionFilter {
  const leaf = (): DetectionFilter => ({
    time: instant(random),
    ...pick<() => DetectionFilter>(random, [
      () => ({}),
      () => ({ dataSourceId: id(random, sources) }),
      () => ({ trackId: id(random, ["track-0-0", "track-1-2", "track-3"]) }),
      () => ({ zoneId: id(random, zones) }),
      () => ({ zoneId: id(random, zones), dataSourceId: id(random, sources) }),
      () => ({ geofenceId: id(random, ["fence"]) }),
      () => ({ tag: text(random, tags) }),
      () => ({ position: point(random) }),
    ])(),
  });
  return nested(random, depth, leaf, (left) => detectionFilter(random, left)) as DetectionFilter;
}

export function intersectionFilter(random: Random, depth = 2): ZoneIntersectionFilter {
  const leaf = (): ZoneIntersectionFilter => ({
    time: instant(random),
    ...pick<() => ZoneIntersectionFilter>(random, [
      () => ({ zoneId: id(random, zones) }),
      () => ({ dataSourceId: id(random, sources) }),
      () => ({ tag: text(random, tags) }),
    ])(),
  });
  return nested(random, depth, leaf, (left) => intersectionFilter(random, left)) as ZoneIntersectionFilter;
}

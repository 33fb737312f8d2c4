// The meaning of the filters, written a second time in plain TypeScript.
import type { DetectionRecord, IntersectionRecord, TrackRecord } from "../../../projections/history/queries/records.ts";
import { trackKeyOf } from "../../../projections/history/queries/track-refs.ts";
import type {
  DetectionFilter,
  FilterDateTimeOffsetInput,
  FilterPointInput,
  FilterStringInput,
  FilterTimeRangeInput,
  FilterTrackInput,
  FilterTrackPropertyInput,
  ZoneIntersectionFilter,
} from "../../../schemas/filters.ts";
import type { World } from "./world.ts";

interface Combined<F> {
  readonly and?: readonly F[] | null | undefined;
  readonly or?: readonly F[] | null | undefined;
  readonly not?: F | null | undefined;
}

export function every<F extends Combined<F>>(
  filter: F,
  own: readonly boolean[],
  again: (inner: F) => boolean,
): boolean {
  return (
    own.every(Boolean) &&
    (filter.and ?? []).every(again) &&
    (filter.or ? filter.or.some(again) : true) &&
    (filter.not ? !again(filter.not) : true)
  );
}

export const when = <F>(filter: F | null | undefined, test: (given: NonNullable<F>) => boolean): boolean =>
  filter === null || filter === undefined ? true : test(filter);

export function text(value: string | null, filter: FilterStringInput, fold = (word: string) => word): boolean {
  const equals = (other: string) => value !== null && fold(value) === fold(other);
  return (
    when(filter.eq, equals) &&
    when(filter.ne, (other) => !equals(other)) &&
    when(filter.in, (others) => others.some(equals)) &&
    when(filter.like, (part) => value?.toLowerCase().includes(part.toLowerCase()) ?? false) &&
    when(filter.attributeExists, (wanted) => (value !== null) === wanted)
  );
}

export const lower = (word: string): string => word.toLowerCase();

export function instant(value: number, filter: FilterDateTimeOffsetInput): boolean {
  return (
    when(filter.eq, (other) => value === other) &&
    when(filter.between, ([from = 0, to = 0]) => from <= value && value <= to) &&
    when(filter.attributeExists, (wanted) => wanted)
  );
}

function period(start: number, endTime: number | null, filter: FilterTimeRangeInput): boolean {
  const end = endTime ?? Number.POSITIVE_INFINITY;
  const bounds = (range: { start?: number | null | undefined; end?: number | null | undefined }) =>
    [range.start ?? Number.NEGATIVE_INFINITY, range.end ?? Number.POSITIVE_INFINITY] as const;
  const ended = endTime !== null;
  return (
    when(filter.containing, (r) => start <= bounds(r)[0] && end >= bounds(r)[1]) &&
    when(filter.containedBy, (r) => start >= bounds(r)[0] && end <= bounds(r)[1]) &&
    when(filter.intersecting, (r) => start <= bounds(r)[1] && end >= bounds(r)[0]) &&
    when(filter.startingWithin, (r) => start >= bounds(r)[0] && start <= bounds(r)[1]) &&
    when(filter.endingWithin, (r) => ended && end >= bounds(r)[0] && end <= bounds(r)[1]) &&
    when(filter.containingInstant, (at) => start <= at && at <= end) &&
    when(filter.before, (at) => end < at) &&
    when(filter.after, (at) => start > at)
  );
}

const EARTH_METRES = 6_371_000;

function metres(a: readonly number[], b: readonly number[]): number {
  const rad = (degrees = 0) => (degrees * Math.PI) / 180;
  const h =
    Math.sin((rad(b[1]) - rad(a[1])) / 2) ** 2 +
    Math.cos(rad(a[1])) * Math.cos(rad(b[1])) * Math.sin((rad(b[0]) - rad(a[0])) / 2) ** 2;
  return 2 * EARTH_METRES * Math.asin(Math.sqrt(h));
}

/** Even-odd over all rings. */
function contains(rings: readonly (readonly (readonly number[])[])[], [x = 0, y = 0]: readonly number[]): boolean {
  let inside = false;
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const [ax = 0, ay = 0] = ring[i - 1] ?? [];
      const [bx = 0, by = 0] = ring[i] ?? [];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    }
  }
  return inside;
}

export function place(position: DetectionRecord["position"], filter: FilterPointInput): boolean {
  const at = position === null ? undefined : [position.longitude, position.latitude];
  return (
    when(filter.in, ({ coordinates }) => at !== undefined && contains(coordinates, at)) &&
    when(filter.near, ({ point, radius }) => at !== undefined && metres(at, point.coordinates) <= radius) &&
    when(filter.attributeExists, (wanted) => (at !== undefined) === wanted)
  );
}

export function property(value: { type: string; value: string } | null, filter: FilterTrackPropertyInput): boolean {
  return (
    when(filter.type, (type) => text(value?.type ?? null, type)) &&
    when(filter.value, (other) => text(value?.value ?? null, other))
  );
}

export function trackMatches(world: World, track: TrackRecord, filter: FilterTrackInput): boolean {
  const mine = () => world.detections.filter((detection) => trackKeyOf(detection) === trackKeyOf(track));
  const attributes = track.properties?.attributes ?? [];
  return every(
    filter,
    [
      when(filter.id, (id) => text(track.trackId, id)),
      when(filter.dataSourceId, (id) => text(track.dataSourceId, id)),
      when(filter.time, (time) => instant(track.startTime, time)),
      when(filter.timeRange, (range) => period(track.startTime, track.endTime, range)),
      when(filter.finished, ({ eq, ne, attributeExists }) => {
        const finished = track.endTime !== null;
        return when(eq, (v) => v === finished) && when(ne, (v) => v !== finished) && when(attributeExists, (v) => v);
      }),
      when(filter.tag, (tag) => text(track.tag, tag, lower)),
      when(filter.modelId, (id) => text(track.modelId, id)),
      when(filter.identifier, (wanted) => property(track.properties?.identifier ?? null, wanted)),
      when(filter.attribute, (wanted) =>
        (attributes.length === 0 ? [null] : attributes).some((one) => property(one, wanted)),
      ),
      when(filter.position, ({ attributeExists, ...rest }) => {
        const seen = (point: FilterPointInput) => mine().some(({ position }) => place(position, point));
        const placed = Object.values(rest).some((member) => member !== null && member !== undefined);
        return (!placed || seen(rest)) && when(attributeExists, (wanted) => seen({ attributeExists: true }) === wanted);
      }),
    ],
    (inner) => trackMatches(world, track, inner),
  );
}

export function detectionMatches(world: World, detection: DetectionRecord, filter: DetectionFilter): boolean {
  const { trackId, timestamp } = detection;
  const inZone = (zone: string) =>
    detection.polygon !== null &&
    world.intersections.some(
      (one) =>
        trackKeyOf(one) === trackKeyOf(detection) &&
        one.zoneId === zone &&
        one.startTime <= timestamp &&
        (one.endTime === null || timestamp <= one.lastInside),
    );
  const tag = world.tracks.find((track) => trackKeyOf(track) === trackKeyOf(detection))?.tag ?? null;
  return every(
    filter,
    [
      when(filter.time, (time) => instant(timestamp, time)),
      when(filter.dataSourceId, (id) => text(detection.dataSourceId, id)),
      when(filter.trackId, (id) => text(trackId, id)),
      when(filter.tag, (wanted) => text(tag, wanted, lower)),
      when(filter.position, (point) => place(detection.position, point)),
      when(
        filter.zoneId,
        (zone) =>
          when(zone.eq, inZone) && when(zone.ne, (id) => !inZone(id)) && when(zone.in, (ids) => ids.some(inZone)),
      ),
      when(filter.geofenceId, ({ eq, in: among }) => when(eq, () => false) && when(among, () => false)),
    ],
    (inner) => detectionMatches(world, detection, inner),
  );
}

export function intersectionMatches(record: IntersectionRecord, filter: ZoneIntersectionFilter): boolean {
  return every(
    filter,
    [
      when(filter.zoneId, (id) => text(record.zoneId, id)),
      when(filter.time, (time) => instant(record.startTime, time)),
      when(filter.dataSourceId, (id) => text(record.dataSourceId, id)),
      when(filter.tag, (tag) => text(record.tag, tag, lower)),
    ],
    (inner) => intersectionMatches(record, inner),
  );
}

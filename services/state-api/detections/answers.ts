// What a GraphQL server answers about tracks and their detections, as far as it is asked. A server that a caller named may
// answer anything.
import { z } from "zod";
import { boxOf } from "../../../projections/box.ts";
import type { Stay, ZoneArea } from "../../../projections/snapshot/membership.ts";
import type { Spot } from "../../../projections/snapshot/spot.ts";
import { parseDateTime } from "../../../schemas/date-time.ts";
import { listOf } from "../upstream/list-of.ts";
import type { TrackFacts } from "./recorded-track.ts";

const time = z.string().transform((text, context) => {
  const at = parseDateTime(text);
  if (at !== undefined) return at;
  context.addIssue({ code: "custom", message: "not a time" });
  return z.NEVER;
});
const orNull = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null);

/** One fault for the whole list. */
const isListOf =
  <T>(isOne: (value: unknown) => value is T) =>
  (value: unknown): value is T[] =>
    Array.isArray(value) && value.every(isOne);
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const areNumbers = isListOf(isNumber);
type Point = [number, number, ...number[]];
const isPoint = (value: unknown): value is Point => areNumbers(value) && value.length >= 2;

/** To flat rings. */
const polygon = z
  .object({ coordinates: z.custom<Point[][]>(isListOf(isListOf(isPoint))) })
  .transform(({ coordinates }) => ({
    rings: coordinates.map((ring) => ring.flatMap((point) => point.slice(0, 2))),
    crs: null,
  }));

const place = z
  .object({ coordinates: z.custom<Point>(isPoint) })
  .transform(({ coordinates: [longitude, latitude] }) => ({ longitude, latitude }))
  .pipe(z.object({ longitude: z.number().min(-180).max(180), latitude: z.number().min(-90).max(90) }));

const detectionFields = { timestamp: time, createdAt: orNull(time), polygon: orNull(polygon), position: orNull(place) };
const detection = z.object(detectionFields);

const spotOf = ({ timestamp, createdAt, polygon: shape, position }: z.output<typeof detection>): Spot => ({
  at: timestamp,
  box: (shape && boxOf(shape.rings)) ?? null,
  place: position,
  recordedAt: createdAt,
});

const zone = z
  .object({ id: z.string(), name: z.string(), active: z.boolean(), polygon })
  .transform(({ id: zoneId, ...rest }) => ({ ...rest, zoneId, anchor: "area" as const }));

const activeZones = listOf(zone).transform((zones): ZoneArea[] =>
  zones.flatMap(({ active, ...area }) => (active ? [area] : [])),
);

const stay = z
  .object({ zone: z.object({ id: z.string() }), startTime: time, endTime: orNull(time) })
  .transform(({ zone: { id }, ...times }): Stay => ({ zoneId: id, ...times }));

const spots = listOf(detection.transform(spotOf));

const track = z.object({
  id: z.string(),
  tag: z.string(),
  endTime: orNull(time),
  dataSource: orNull(z.object({ id: z.string(), zones: orNull(activeZones) })),
  zoneIntersections: orNull(listOf(stay)),
});

export const tracksAnswer = z.object({ tracks: connection(track.extend({ detections: spots })) });

export const detectionsAnswer = z.object({
  detections: connection(detection.transform(spotOf)).extend({
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: orNull(z.string()) }),
  }),
});

/** At most one detection in each list. */
export const closestAnswer = z.object({
  tracks: connection(track.extend({ before: spots, after: spots })),
});

export function factsOf({
  id,
  dataSource,
  zoneIntersections,
  ...rest
}: z.output<typeof track>): Omit<TrackFacts, "askedAt"> {
  const { tag, endTime } = rest;
  const stays = zoneIntersections ?? [];
  return { trackId: id, tag, endTime, stays, dataSourceId: dataSource?.id ?? null, zones: dataSource?.zones ?? null };
}

function connection<T extends z.ZodType>(node: T) {
  return z.object({ edges: listOf(z.object({ node }).nullable()) });
}

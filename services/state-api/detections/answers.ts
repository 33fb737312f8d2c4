// Parses a GraphQL server's answers about tracks and their detections. The caller may have named the server, so it may
// answer with anything.
import { z } from "zod";
import { boxOf } from "../../../projections/geometry/box.ts";
import type { ZoneArea, ZoneStay } from "../../../projections/snapshot/membership.ts";
import type { Spot } from "../../../projections/snapshot/spot.ts";
import { parseDateTime } from "../../../schemas/date-time.ts";
import { boundedListOf } from "../upstream/list-of.ts";
import type { TrackFacts } from "./recorded-track.ts";

const time = z.string().transform((text, context) => {
  const at = parseDateTime(text);
  if (at !== undefined) return at;
  context.addIssue({ code: "custom", message: "not a time" });
  return z.NEVER;
});
const orNull = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null);

/** Reports one fault for the whole list. */
const isListOf =
  <T>(isOne: (value: unknown) => value is T) =>
  (value: unknown): value is T[] =>
    Array.isArray(value) && value.every(isOne);
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const areNumbers = isListOf(isNumber);
type Point = [number, number, ...number[]];
const isPoint = (value: unknown): value is Point => areNumbers(value) && value.length >= 2;

/** Converts to flat rings. */
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

const activeZones = boundedListOf(zone).transform((zones): ZoneArea[] =>
  zones.flatMap(({ active, ...area }) => (active ? [area] : [])),
);

const stay = z
  .object({ zone: z.object({ id: z.string() }), startTime: time, endTime: orNull(time) })
  .transform(({ zone: { id }, ...times }): ZoneStay => ({ zoneId: id, ...times }));

const spots = boundedListOf(detection.transform(spotOf));

const track = z.object({
  id: z.string(),
  tag: z.string(),
  endTime: orNull(time),
  dataSource: orNull(z.object({ id: z.string(), zones: orNull(activeZones) })),
  zoneIntersections: orNull(boundedListOf(stay)),
});

export const tracksAnswer = z.object({ tracks: connection(track.extend({ detections: spots })) });

const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: orNull(z.string()) });

export const detectionsAnswer = z.object({
  detections: connection(detection.transform(spotOf)).extend({ pageInfo }),
});

/** The last sighting of a track, and its data source, which may be deleted. */
const sighting = z
  .object({
    id: z.string(),
    dataSource: orNull(z.object({ id: z.string() })),
    last: boundedListOf(z.object({ timestamp: time })),
  })
  .transform(({ id, dataSource, last }) => ({
    id,
    dataSourceId: dataSource?.id ?? null,
    lastSeen: last[0]?.timestamp ?? null,
  }));

export const sightingsAnswer = z.object({ tracks: connection(sighting).extend({ pageInfo }) });

/** `before` and `after` have at most one detection each. */
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
  return z.object({ edges: boundedListOf(z.object({ node }).nullable()) });
}

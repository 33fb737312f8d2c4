// The members by which a replay session chooses its part of the log, its zones and its settings.
import { z } from "zod";
import { idMember, instant, isoTimeSchema, listOf } from "./pieces.ts";
import { textMember } from "./subscriptions.ts";

const MAX_SOURCES = 100;
const MAX_SPANS = 100;
const MAX_PARTITION = 65_535;
const MAX_ZONES = 100;
/** In all zones together. A body has at most 20 000 values, and a vertex is three of them. */
const MAX_VERTICES = 6_000;
/** A feature, its geometry, its coordinates, rings, positions and numbers are within it. */
const MAX_DEPTH = 8;
/** Every process that claims the session reads its zones. */
const MAX_ZONES_BYTES = 256 * 1024;
/** A track that never ended, or a detection that was held for long, would fill the memory of the process. */
export const MAX_REPLAY_TTL_S = 600;
export const MAX_REPLAY_REORDER_MS = 10_000;
const MAX_UPDATE_MS = 3_600_000;
const MAX_EXIT_DELAY_S = 3_600;
const MAX_ENTER_DETECTIONS = 1_000;

const offset = z.int().min(0);
const sources = listOf(idMember, MAX_SOURCES, 1);

export const rangeMember = z
  .strictObject({
    data_source_ids: sources.nullish().describe("Data sources whose tracks are replayed"),
    site_ids: sources.nullish().describe("In place of `data_source_ids`: the data sources whose devices are there now"),
    from: instant.describe("Event time of the first detections"),
    to: instant.describe("Event time up to which detections count, exclusive"),
  })
  .superRefine(({ data_source_ids: ids, site_ids: siteIds }, context) => {
    if ((ids == null) === (siteIds == null)) {
      context.addIssue({ code: "custom", message: "either data_source_ids or site_ids is needed" });
    }
  })
  .meta({ id: "ReplayRange" });

export const spanMember = z
  .strictObject({
    partition: z.int().min(0).max(MAX_PARTITION).describe("Partition of the topic camera-log"),
    from: offset.describe("First offset"),
    to: offset.describe("Offset after the last one"),
  })
  .meta({ id: "ReplaySpan" });

export const spansMember = listOf(spanMember, MAX_SPANS, 1).superRefine((spans, context) => {
  const sorted = spans.toSorted((a, b) => a.partition - b.partition || a.from - b.from);
  for (const [i, span] of sorted.entries()) {
    const before = sorted[i - 1];
    if (before === undefined || before.partition !== span.partition || before.to <= span.from) continue;
    const message = `the offsets ${span.from} to ${before.to} of partition ${span.partition} are named twice`;
    context.addIssue({ code: "custom", message });
    return;
  }
});

const exitDelay = z.number().min(0).max(MAX_EXIT_DELAY_S);
const enterDetections = z.int().min(1).max(MAX_ENTER_DETECTIONS);

const zoneFeature = z.object({
  type: z.literal("Feature").describe("Always Feature"),
  properties: z
    .object({
      zone_id: idMember.nullish().describe("Id of the zone in signals; left out, it is made from the name"),
      name: textMember.describe("Name of the zone"),
      data_source_id: idMember
        .nullish()
        .describe("Data source of the image. It may be left out when `range` names a single one"),
      anchor: z
        .enum(["area", "bottom_center"])
        .nullish()
        .describe("Part of a detection that must lie in the zone: its area, or the bottom centre of its box"),
      enter_detections: enterDetections
        .nullish()
        .describe("Successive detections inside after which a track has entered"),
      exit_delay: exitDelay.nullish().describe("Seconds outside after which a track has left"),
    })
    .describe("Settings of the zone"),
  geometry: z
    .object({
      type: z.literal("Polygon").describe("Always Polygon"),
      coordinates: z
        .array(z.array(z.array(z.number()).min(2)))
        .min(1)
        .describe("Closed rings of [x, y] in pixels of the image"),
    })
    .describe("Boundary of the zone"),
});

export type RequestedZone = z.output<typeof zoneFeature>;

const features = z.preprocess((value, context) => {
  // Counted before the positions are checked: there may be many times as many as allowed.
  const flaw = Array.isArray(value) ? flawOfSize(value) : undefined;
  if (flaw === undefined) return value;
  context.addIssue({ code: "custom", message: flaw });
  return z.NEVER;
}, z.array(zoneFeature).min(1).max(MAX_ZONES));

function flawOfSize(given: readonly unknown[]): string | undefined {
  if (given.length > MAX_ZONES) return `at most ${MAX_ZONES} zones`;
  const numbers = countNumbers(given);
  if (numbers === undefined) return "lists and objects are nested too deeply";
  if (numbers > 2 * MAX_VERTICES) return `at most ${MAX_VERTICES} vertices in all zones`;
  if (Buffer.byteLength(JSON.stringify(given)) > MAX_ZONES_BYTES) return `at most ${MAX_ZONES_BYTES} bytes`;
  return undefined;
}

/** @returns undefined when the value is nested so deeply that a recursion over it could exhaust the stack. */
function countNumbers(given: readonly unknown[]): number | undefined {
  let count = 0;
  let level: unknown[] = [...given];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return undefined;
    count += level.filter((each) => typeof each === "number").length;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return count;
}

const whenOfZones = z.enum(["then", "now"]);
const zonesOfRequest = z
  .object({
    type: z.literal("FeatureCollection").describe("Always FeatureCollection"),
    features: features.describe("The zones"),
  })
  .meta({ id: "ReplayZones", description: "Zones of the request alone, in GeoJSON" });

/** Checked before the union, which would answer all faults of its members with one of its own. */
const checkedZones = z.preprocess((value, context) => {
  if (value === null || value === undefined) return value;
  const parsed = (typeof value === "string" ? whenOfZones : zonesOfRequest).safeParse(value);
  for (const { path, message } of parsed.error?.issues ?? []) {
    context.addIssue({ code: "custom", message, path: [...path] });
  }
  return value;
}, z.union([whenOfZones, zonesOfRequest]).nullish());

export const zonesMember = checkedZones
  .meta({ default: "then" })
  .transform((value) => value ?? "then")
  .describe(
    "then: the zones as they were at each detection. now: the present zones, throughout. " +
      `A FeatureCollection: these zones alone, throughout; at most ${MAX_ZONES}, with ${MAX_VERTICES} vertices in all`,
  );

const settingsShape = {
  track_ttl: z
    .number()
    .positive()
    .max(MAX_REPLAY_TTL_S)
    .nullish()
    .describe("Seconds without a detection after which a track has expired"),
  reorder_ms: z
    .int()
    .min(0)
    .max(MAX_REPLAY_REORDER_MS)
    .nullish()
    .describe("Milliseconds for which detections are held, to be folded in the order of their timestamps"),
  intersection_update_ms: z
    .int()
    .min(0)
    .max(MAX_UPDATE_MS)
    .nullish()
    .describe("Shortest time between two updates of an intersection, in milliseconds"),
  exit_delay: exitDelay.nullish().describe("Seconds outside after which a track has left, for all zones"),
  enter_detections: enterDetections
    .nullish()
    .describe("Successive detections inside after which a track has entered, for all zones"),
};

export const settingsMember = z
  .strictObject(settingsShape)
  .nullish()
  .meta({ default: {} })
  .transform((given) => given ?? {})
  .describe("Settings in place of the recorded ones. A member that is left out is as recorded");

/** The choice as answers show it. */
export const shownSelection = {
  range: z
    .object({
      data_source_ids: z.array(z.string()).nullable().describe("Requested data sources; null when sites were named"),
      site_ids: z.array(z.string()).nullable().describe("Requested sites; null when data sources were named"),
      from: isoTimeSchema.describe("Event time of the first detections"),
      to: isoTimeSchema.describe("Event time up to which detections count, exclusive"),
    })
    .nullable()
    .describe("Requested event times; null for other sessions"),
  offsets: z.array(spanMember).nullable().describe("Requested offsets; null for other sessions"),
  zones: z
    .union([
      z.enum(["then", "now"]),
      z.array(
        z.object({
          zone_id: z.string(),
          name: z.string().describe("Name of the zone"),
          data_source_id: z.string().describe("Data source of the zone"),
        }),
      ),
    ])
    .describe("then: the zones at each detection. now: the present ones. A list: those of the request"),
  settings: z.object(settingsShape).describe("Settings in place of the recorded ones, those that were given"),
};

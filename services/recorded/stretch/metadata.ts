// The metadata of a stretch file, in the header of its container.
import { z } from "zod";
import { FOLD_VERSION } from "../../../schemas/fold-version.ts";
import { jsonOf } from "../../../schemas/json.ts";
import { DamagedFile } from "./container.ts";

/** The version of the format. A reader refuses any other. */
export const STRETCH_FORMAT = 1;

const count = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
const duration = z.number().nonnegative();

const stretchMetadata = z.object({
  format: z.literal(
    STRETCH_FORMAT,
    `it has another format than ${STRETCH_FORMAT}: another version of tracklog wrote it`,
  ),
  /** The version of tracklog, and of the rules of the fold. */
  version: z.string(),
  foldVersion: count,
  namespace: z.string(),
  /** Id of the camera-log. */
  logId: z.string(),
  /** Partitions of the camera-log. */
  partitions: count,
  /** A time at or before which the ends of the stretch were read from the log. */
  exportedAt: z.iso.datetime(),
  /** The selection that was asked for. */
  asked: z.unknown(),
  /** Settings of the fold. */
  settings: z.object({
    trackTtlMs: duration.positive(),
    reorderMs: duration,
    updateIntervalMs: duration,
    forgetAfterMs: duration.positive(),
    rememberedTracks: count.min(1),
    maxSourceVertices: count,
  }),
  bounds: z.object({
    maxFutureMs: duration,
    maxDetectionVertices: count,
    maxZoneVertices: count,
    maxDataSourceVertices: count,
  }),
});

export type StretchMetadata = z.output<typeof stretchMetadata>;

const PREFIX = "tracklog.";

/** One entry for each member: the value as JSON, or a text as it is. */
export const metadataEntries = (metadata: StretchMetadata): Record<string, string> =>
  Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`${PREFIX}${name}`, textOfValue(value)]));

const textOfValue = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

export function parseStretchMetadata(entries: ReadonlyMap<string, string>): StretchMetadata {
  const own = [...entries].filter(([name]) => name.startsWith(PREFIX));
  if (own.length === 0) throw new DamagedFile("it is an Avro file, but no stretch of a log of tracklog");
  const values = own.map(([name, text]) => [name.slice(PREFIX.length), memberOf(name.slice(PREFIX.length), text)]);
  const parsed = stretchMetadata.safeParse(Object.fromEntries(values));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new DamagedFile(`its metadata has a fault: ${issue?.path.join(".")}: ${issue?.message}`);
}

const texts: ReadonlySet<string> = new Set(["version", "namespace", "logId", "exportedAt"]);

const memberOf = (name: string, text: string): unknown => (texts.has(name) ? text : jsonOf(text));

/** @returns true when a replay of the file may give other signals than the state machine that wrote its log. */
export const isOtherFold = ({ foldVersion }: StretchMetadata): boolean => foldVersion !== FOLD_VERSION;

// The records of a stretch file: a stretch of the log that was taken home as an Avro object container file. The event
// of a record is a union of the records of schemas/events.ts, so every reader of Avro can read it.
import avro from "avsc";
import type { IHeaders } from "kafkajs";
import {
  type AvroSchema,
  array,
  bytes,
  int,
  long,
  namespace,
  optional,
  record,
  string,
  time,
} from "../../../schemas/avro.ts";
import { catalogTypes } from "../../../schemas/catalog/kinds.ts";
import { type CameraLogType, type EventType, records, type Typed } from "../../../schemas/events.ts";
import { type Topic, topics } from "../../../schemas/topics.ts";
import { useBoundedLists } from "../../common/registry/bounded-lists.ts";

/**
 * The kinds in the order of the file. `segment` begins the part of a segment: then come its zones, and its messages.
 * Between them are a `track` before the first message of each track that is older than the segment, and a `tick` for
 * the time of messages of other data sources. After all segments come the changes of the catalog, and then one `end`.
 */
export const stretchKinds = ["segment", "zone", "track", "message", "tick", "catalog", "end"] as const;
export type StretchKind = (typeof stretchKinds)[number];

export interface StretchHeader {
  readonly name: string;
  readonly value: Buffer;
}

interface StretchSegment {
  /** The segment of the plan (projections/replay), as JSON. */
  readonly segment: string;
}

export interface StretchEnd {
  /** Number of records of the kind `message`. */
  readonly messages: number;
  /** Number of all records before this one. */
  readonly records: number;
  /** Hex SHA-256 of the bytes of the file before the block of this record. */
  readonly sha256: string;
}

export type StretchEvent =
  | Typed
  | { readonly type: "StretchSegment"; readonly event: StretchSegment }
  | { readonly type: "StretchEnd"; readonly event: StretchEnd };

export interface StretchRecord {
  readonly kind: StretchKind;
  readonly partition: number;
  readonly offset: number;
  /** Broker time, ms. */
  readonly recordedAt: number;
  readonly key: Buffer | null;
  readonly headers: readonly StretchHeader[];
  /** Null for a tick. */
  readonly event: StretchEvent | null;
}

/** A record as Avro has it: the event is an object with one member, which is named after the type. */
type WireRecord = Omit<StretchRecord, "event"> & { readonly event: Readonly<Record<string, unknown>> | null };

const segmentRecord = record<StretchSegment>("StretchSegment", { segment: string });
const endRecord = record<StretchEnd>("StretchEnd", { messages: long, records: long, sha256: string });
const headerRecord = record<StretchHeader>("StretchHeader", { name: string, value: bytes });

/** Tokens are no part of a stretch. */
const eventTypesOfFile: readonly EventType[] = [
  ...topics["camera-log"].records,
  "ZoneVersion",
  ...catalogTypes.filter((type) => type !== "TokenChanged"),
];

const union = {
  schema: ["null", ...eventTypesOfFile.map((type) => records[type]), segmentRecord.schema, endRecord.schema],
};

const stretchRecord = record<WireRecord>("StretchRecord", {
  kind: string as never,
  partition: int,
  offset: long,
  recordedAt: time,
  key: optional(bytes),
  headers: array(headerRecord),
  event: union,
});

export const STRETCH_RECORD = `${namespace}.StretchRecord`;

/** Avro allows only one definition of a name in a schema, so every later one is replaced by the name. */
function definedOnce(schema: unknown, known: Map<string, string>): unknown {
  if (Array.isArray(schema)) return schema.map((branch) => definedOnce(branch, known));
  if (typeof schema !== "object" || schema === null) return schema;
  if ("items" in schema) return { ...schema, items: definedOnce(schema.items, known) };
  if (!("name" in schema)) return schema;
  const text = JSON.stringify(schema);
  const name = `${namespace}.${schema.name}`;
  const before = known.get(name);
  if (before !== undefined && before !== text) throw new Error(`two records of events have the name ${name}`);
  if (before !== undefined) return name;
  known.set(name, text);
  if (!("fields" in schema)) return schema;
  const fields = schema.fields as AvroSchema["fields"];
  return { ...schema, fields: fields.map((field) => ({ ...field, type: definedOnce(field["type"], known) })) };
}

export const stretchSchema: string = JSON.stringify(definedOnce(stretchRecord.schema, new Map()));

let compiled: avro.Type | undefined;

/** The type by which this version writes and reads records. */
export function stretchType(): avro.Type {
  useBoundedLists();
  compiled ??= avro.Type.forSchema(JSON.parse(stretchSchema));
  return compiled;
}

export const toWire = ({ event, ...fields }: StretchRecord): WireRecord => ({
  ...fields,
  event: event === null ? null : { [`${namespace}.${event.type}`]: event.event },
});

/** The type of the event follows from the schema, by which the record was decoded. */
export function fromWire({ kind, partition, offset, recordedAt, key, headers, event }: WireRecord): StretchRecord {
  const [named] = event === null ? [] : Object.entries(event);
  const typed = named === undefined ? null : { type: named[0].slice(namespace.length + 1), event: named[1] };
  return { kind, partition, offset, recordedAt, key, headers, event: typed as StretchEvent | null };
}

const cameraLogTypes: readonly string[] = topics["camera-log" satisfies Topic].records;

export const isCameraLogType = (type: string): type is CameraLogType => cameraLogTypes.includes(type);

/** A header with several values becomes several headers; one without a value gets an empty one. */
export const toHeaders = (headers: IHeaders | undefined): StretchHeader[] =>
  Object.entries(headers ?? {}).flatMap(([name, values]) =>
    [values ?? ""].flat().map((value) => ({ name, value: Buffer.from(value) })),
  );

/** A sender may call a header `__proto__`, so the result has no prototype. */
export function fromHeaders(headers: readonly StretchHeader[]): IHeaders {
  const found: IHeaders = Object.create(null);
  for (const [name, values] of Map.groupBy(headers, (header) => header.name)) {
    const [first, ...more] = values.map(({ value }) => value);
    found[name] = more.length === 0 ? first : values.map(({ value }) => value);
  }
  return found;
}

// The codec: Avro by the schemas of the registry.
import { type SchemaRegistry, SchemaType } from "@kafkajs/confluent-schema-registry";
import avro from "avsc";
import { namespace } from "../../../schemas/avro.ts";
import type { Codec, Decoded } from "../../../schemas/codec.ts";
import { type EventType, eventTypes, records } from "../../../schemas/events.ts";
import { whyUnreadable } from "../kafka/unreadable.ts";
import { useBoundedLists } from "./bounded-lists.ts";
import { openRegistry } from "./client.ts";
import { createFetchSchema, RegistryAway } from "./fetch-schema.ts";
import { createSchemasById, unknown } from "./schemas-by-id.ts";
import { writerType } from "./writer-type.ts";

interface Reader {
  readonly type: EventType;
  read(value: Buffer): unknown;
}

const HEADER_BYTES = 5;
const SCRATCH_BYTES = 64 * 1024;

export const subjectOf = (type: EventType): string => `${namespace}.${type}`;

/**
 * Registers every record (idempotent; refuses a schema that could not read what is already written) and returns the
 * codec. Rejects when the registry is away.
 */
export async function createCodec(registryUrl: string): Promise<Codec> {
  useBoundedLists();
  const registry = openRegistry(registryUrl);
  const types = new Map(eventTypes.map((type) => [type, avro.Type.forSchema(records[type] as avro.Schema)]));
  const headers = new Map<EventType, Buffer>();
  const readers = createSchemasById<Reader>(createFetchSchema(registryUrl), (schema) => {
    const writer = writerType(schema);
    const type = eventTypes.find((name) => subjectOf(name) === writer.name);
    if (type === undefined) throw new Error("it is no record of tracklog");
    return reader(type, writer);
  });
  const scratch = Buffer.allocUnsafe(SCRATCH_BYTES);

  await Promise.all(
    eventTypes.map(async (type) => {
      const id = (await registeredId(registry, type)) ?? (await register(registry, type));
      const header = Buffer.alloc(HEADER_BYTES);
      header.writeUInt32BE(id, 1);
      headers.set(type, header);
      readers.set(id, reader(type));
    }),
  );

  function reader(type: EventType, writer?: avro.Type): Reader {
    const own = known(types, type);
    const resolver = writer === undefined ? undefined : own.createResolver(writer);
    return { type, read: (value) => own.fromBuffer(value.subarray(HEADER_BYTES), resolver) };
  }

  /** The unknown ids, the one of the most messages first. */
  function missingIn(values: Iterable<Buffer | null>): number[] {
    const counts = new Map<number, number>();
    for (const value of values) {
      const id = schemaId(value);
      if (id !== undefined && readers.get(id) === undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return Array.from(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([id]) => id);
  }

  return {
    encode(type, event) {
      const avroType = known(types, type);
      const end = avroType.encode(event, scratch, HEADER_BYTES);
      if (end < 0) return Buffer.concat([known(headers, type), avroType.toBuffer(event)]);
      known(headers, type).copy(scratch);
      return Buffer.from(scratch.subarray(0, end));
    },

    learn(values) {
      const missing = missingIn(values);
      return missing.length === 0 ? undefined : readers.learn(missing);
    },

    decode(value) {
      const id = schemaId(value);
      if (id === undefined || value === null) {
        return { ok: false, reason: whyUnreadable(value) ?? "not in the Confluent wire format" };
      }
      const found = readers.get(id);
      if (found === undefined) return { ok: false, reason: unknown(id) };
      if (typeof found === "string") return { ok: false, reason: found };
      try {
        return { ok: true, type: found.type, event: found.read(value) } as Decoded;
      } catch (error) {
        return { ok: false, reason: `not a ${found.type}: ${error instanceof Error ? error.message : String(error)}` };
      }
    },
  };
}

const SETTLE_ATTEMPTS = 20;
const SETTLE_PAUSE_MS = 100;

/**
 * The schema's id, if the registry has it: at all starts but the first. To look is one request, to register two, and
 * costs the registry twice as much.
 */
async function registeredId(registry: SchemaRegistry, type: EventType): Promise<number | undefined> {
  try {
    const schema = { type: SchemaType.AVRO as const, schema: JSON.stringify(records[type]) };
    return await registry.getRegistryIdBySchema(subjectOf(type), schema);
  } catch (error) {
    if (nameOf(error) === "ConfluentSchemaRegistryError") return undefined;
    throw error;
  }
}

/** Resolves with the schema's id. */
async function register(registry: SchemaRegistry, type: EventType): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { id } = await registry.register(JSON.parse(JSON.stringify(records[type])), {
        subject: subjectOf(type),
        compatibility: "BACKWARD_TRANSITIVE" as never,
      });
      return id;
    } catch (error) {
      if (!isUnsettled(error)) throw error;
      if (attempt === SETTLE_ATTEMPTS) throw unreadable(type, error);
      await new Promise((resolve) => setTimeout(resolve, SETTLE_PAUSE_MS));
    }
  }
}

const unreadable = (type: EventType, cause: unknown): Error =>
  new Error(
    `The registry holds ${subjectOf(type)} as another version of tracklog writes it, which this one cannot read: use a separate registry and separate topics.`,
    { cause },
  );

function schemaId(value: Buffer | null): number | undefined {
  return value !== null && value.length >= HEADER_BYTES && value[0] === 0 ? value.readUInt32BE(1) : undefined;
}

/**
 * Another process may be creating the subject: the registry has its schema a moment before its compatibility, and when
 * two processes set the compatibility at once it answers one of them with a conflict. A schema that is refused for good
 * is a conflict, too: then the attempts only take a while.
 */
const isUnsettled = (error: unknown): boolean =>
  nameOf(error) === "ConfluentSchemaRegistryCompatibilityError" || statusOf(error) === 409;

/**
 * Whether waiting may help: the registry did not answer, or answered that it cannot now. The registry's client gives a
 * request without an answer the status 400; only the text, which is not the registry's JSON, differs from a refusal.
 */
export function isRegistryAway(error: unknown): boolean {
  if (error instanceof RegistryAway) return true;
  const status = statusOf(error);
  if (status === undefined) return false;
  if (status === 400) return error instanceof Error && error.message.includes("Error, status 400: ");
  return status === 408 || status === 429 || status >= 500;
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "");

const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && "status" in error && typeof error.status === "number" ? error.status : undefined;

function known<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`no Avro schema for ${String(key)}`);
  return value;
}

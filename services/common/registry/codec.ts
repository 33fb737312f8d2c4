// The codec: Avro with the schemas of the registry.
import { type SchemaRegistry, SchemaType } from "@kafkajs/confluent-schema-registry";
import avro from "avsc";
import { namespace } from "../../../schemas/avro.ts";
import type { Codec, Decoded } from "../../../schemas/codec.ts";
import { type EventType, eventTypes, records } from "../../../schemas/events.ts";
import { whyUnreadable } from "../kafka/internals/unreadable.ts";
import { useBoundedLists } from "./bounded-lists.ts";
import { openRegistry, type RegistryConfig } from "./client.ts";
import { createFetchSchema } from "./fetch-schema.ts";
import { unknown } from "./known-readers.ts";
import { RegistryUnavailable } from "./registry-unavailable.ts";
import { createSchemasById } from "./schemas-by-id.ts";
import { createValueReaders, HEADER_BYTES, schemaId } from "./value-readers.ts";
import { writerType } from "./writer-type.ts";

interface Reader {
  readonly type: EventType;
  read(value: Buffer): unknown;
}

const SCRATCH_BYTES = 64 * 1024;

export const registrySubjectOf = (type: EventType): string => `${namespace}.${type}`;

/**
 * Registers every record and returns the codec. Idempotent; the registry refuses a schema that could not read existing
 * messages. Rejects when the registry is unavailable.
 */
export async function createCodec(config: RegistryConfig): Promise<Codec> {
  useBoundedLists();
  const registry = openRegistry(config);
  const types = new Map(eventTypes.map((type) => [type, avro.Type.forSchema(records[type] as avro.Schema)]));
  const headers = new Map<EventType, Buffer>();
  const names = new Set(eventTypes.map(registrySubjectOf));
  const readers = createSchemasById<Reader>(createFetchSchema(config), (schema) => {
    const writer = writerType(schema, names);
    const type = eventTypes.find((name) => registrySubjectOf(name) === writer.name);
    if (type === undefined) throw new Error("it is no record of tracklog");
    return reader(type, writer);
  });
  const { loadSchemas, find } = createValueReaders(readers);
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

  return {
    encode(type, event) {
      const avroType = known(types, type);
      const end = avroType.encode(event, scratch, HEADER_BYTES);
      if (end < 0) return Buffer.concat([known(headers, type), avroType.toBuffer(event)]);
      known(headers, type).copy(scratch);
      return Buffer.from(scratch.subarray(0, end));
    },

    loadSchemas,

    decode(value) {
      const id = schemaId(value);
      if (id === undefined || value === null) {
        return { ok: false, reason: whyUnreadable(value) ?? "not in the Confluent wire format" };
      }
      const found = find(value, id);
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
 * Returns the schema's id if the registry has it, as at all starts but the first. A lookup is one request; a
 * registration is two, and costs the registry twice as much.
 */
async function registeredId(registry: SchemaRegistry, type: EventType): Promise<number | undefined> {
  try {
    const schema = { type: SchemaType.AVRO as const, schema: JSON.stringify(records[type]) };
    return await registry.getRegistryIdBySchema(registrySubjectOf(type), schema);
  } catch (error) {
    if (nameOf(error) === "ConfluentSchemaRegistryError") return undefined;
    throw error;
  }
}

const register = (registry: SchemaRegistry, type: EventType): Promise<number> =>
  registerText(registry, registrySubjectOf(type), JSON.stringify(records[type]));

export async function registerText(
  registry: SchemaRegistry,
  subject: string,
  schema: string,
  compatibility = "BACKWARD_TRANSITIVE",
): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { id } = await registry.register(JSON.parse(schema), { subject, compatibility: compatibility as never });
      return id;
    } catch (error) {
      if (!isUnsettled(error)) throw error;
      if (attempt === SETTLE_ATTEMPTS) throw new SchemaRefused(subject, error);
      await new Promise((resolve) => setTimeout(resolve, SETTLE_PAUSE_MS));
    }
  }
}

export class SchemaRefused extends Error {
  override readonly name = "SchemaRefused";

  constructor(subject: string, cause: unknown) {
    super(
      `The registry holds ${subject} as another version of tracklog writes it, which this one cannot read: use a separate registry and separate topics.`,
      { cause },
    );
  }
}

/**
 * Another process may be creating the subject: the registry has its schema a moment before its compatibility, and when
 * two processes set the compatibility at once it answers one of them with a conflict. A schema that is refused for good
 * is a conflict, too: then the retries only take a while.
 */
const isUnsettled = (error: unknown): boolean =>
  nameOf(error) === "ConfluentSchemaRegistryCompatibilityError" || statusOf(error) === 409;

/**
 * @returns true when waiting may help: the registry did not answer, answered that it cannot now, or a proxy answered in
 * its place. The registry's refusals have a message. An answer without one, or no answer (status 400), shows in the
 * text of the client's error. The registry itself never answers a registration with "not found".
 */
export function isRegistryUnavailable(error: unknown): boolean {
  if (error instanceof RegistryUnavailable) return true;
  const status = statusOf(error);
  if (status === undefined) return false;
  if (error instanceof Error && /Error, status \d+(: |$)/.test(error.message)) return true;
  return status === 404 || status === 408 || status === 429 || status >= 500;
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "");

const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && "status" in error && typeof error.status === "number" ? error.status : undefined;

function known<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`no Avro schema for ${String(key)}`);
  return value;
}

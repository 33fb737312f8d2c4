// Avro in the Confluent wire format: one zero byte, the schema id (4 bytes, big endian), the Avro body.
// Encoding and decoding are synchronous once a schema id is known; `loadSchemas` fetches the unknown ids of a batch.
import type { Events, EventType, Typed } from "./events.ts";

export interface DecodeFailure {
  readonly ok: false;
  readonly reason: string;
}

export type DecodedAs<T extends EventType> = ({ readonly ok: true } & Typed<T>) | DecodeFailure;
export type Decoded = DecodedAs<EventType>;

export interface LoadSchemasOptions {
  /**
   * The topic's name on the broker. When only tracklog writes to the topic, `loadSchemas` waits for a schema that the
   * registry does not have yet. Without the name, the values may be of any producer.
   */
  readonly topic?: string;
  /** Ids of other producers' schemas that the caller holds already. `loadSchemas` adds those of the values. */
  readonly held?: Set<number>;
  /** Milliseconds for which `loadSchemas` waits for a schema of tracklog. */
  readonly patienceMs?: number;
}

/**
 * @returns the number of values, from the first on, that may be decoded; undefined when all may. With the schemas of
 * the others, too many would be held at once.
 */
export type LoadSchemas = (
  values: Iterable<Buffer | null>,
  options?: LoadSchemasOptions,
) => Promise<number | undefined> | number | undefined;

export interface Codec {
  /** Throws when the value does not fit the schema: the caller must validate it first. */
  encode<T extends EventType>(type: T, event: Events[T]): Buffer;
  /**
   * Fetches the schemas that a batch needs; rejects when the registry is unavailable. A schema that the registry does
   * not have, or that cannot be read, is recorded as such: `decode` returns the reason. It then knows the schema for as
   * long as the value exists.
   */
  loadSchemas: LoadSchemas;
  /** Never throws: for an unreadable value it returns the reason. */
  decode(value: Buffer | null): Decoded;
}

// Avro in the Confluent wire format: one zero byte, the schema id (4 bytes, big endian), the Avro body.
// Encoding and decoding are synchronous once a schema id is known; `learn` fetches the unknown ids of a batch.
import type { Events, EventType, Typed } from "./events.ts";

export interface Refused {
  readonly ok: false;
  readonly reason: string;
}

export type DecodedAs<T extends EventType> = ({ readonly ok: true } & Typed<T>) | Refused;
export type Decoded = DecodedAs<EventType>;

export interface Codec {
  /** Throws when the value does not fit the schema: the caller must validate it first. */
  encode<T extends EventType>(type: T, event: Events[T]): Buffer;
  /**
   * Fetches the schemas that a batch needs; rejects when the registry is away. A schema that the registry does not have,
   * or that cannot be read, is known as such afterwards: `decode` returns the reason.
   * @returns undefined when all are known.
   */
  learn(values: Iterable<Buffer | null>): Promise<void> | undefined;
  /** Never throws: for an unreadable value it returns the reason. */
  decode(value: Buffer | null): Decoded;
}

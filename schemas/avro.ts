// The pieces of which Avro records are built. Each piece carries the TypeScript type whose wire form it is, so the
// compiler refuses a record whose fields differ from its type in name, in type or in whether they may be null.

export const namespace = "io.tracklog";

/** Only the compiler sees this field. Its type is a function, so that neither a wider nor a narrower type fits. */
declare const wireOf: unique symbol;

export interface AvroType<T, Schema = unknown> {
  readonly schema: Schema;
  readonly default?: unknown;
  readonly [wireOf]?: (value: T) => T;
}

export interface AvroSchema<T = never> {
  readonly type: "record";
  readonly name: string;
  readonly namespace: string;
  readonly fields: readonly Record<string, unknown>[];
  readonly [wireOf]?: (value: T) => T;
}

export type AvroRecord<T> = AvroType<T, AvroSchema<T>>;

export const string: AvroType<string> = { schema: "string" };
export const boolean: AvroType<boolean> = { schema: "boolean" };
export const int: AvroType<number> = { schema: "int" };
export const long: AvroType<number> = { schema: "long" };
export const double: AvroType<number> = { schema: "double" };
export const bytes: AvroType<Buffer> = { schema: "bytes" };
/** Milliseconds since the epoch (UTC). */
export const time: AvroType<number> = { schema: { type: "long", logicalType: "timestamp-millis" } };

/** One of a list of words. On the wire it is any text, so the list may grow without a new version of the schema. */
export const word = <T extends string>(): AvroType<T> => ({ schema: "string" });

export const array = <T>({ schema }: AvroType<T>): AvroType<readonly T[]> => ({
  schema: { type: "array", items: schema },
});

export const optional = <T>({ schema }: AvroType<T>): AvroType<T | null> => ({
  schema: ["null", schema],
  default: null,
});

export const withDefault = <T>({ schema }: AvroType<T>, value: T): AvroType<T> => ({ schema, default: value });

/**
 * A reader reads a symbol that it does not know as the fallback. Use `word` where such a fallback would state something
 * false.
 */
export const enumeration = <T extends string>(name: string, symbols: readonly T[], fallback: T): AvroType<T> => ({
  schema: { type: "enum", name, namespace, symbols, default: fallback },
});

export function record<T>(name: string, fields: { readonly [K in keyof T]-?: AvroType<T[K]> }): AvroRecord<T> {
  const named = Object.entries<Omit<AvroType<T>, typeof wireOf>>(fields).map(([field, { schema, ...rest }]) => ({
    name: field,
    type: schema,
    ...rest,
  }));
  return { schema: { type: "record", name, namespace, fields: named } };
}

/** Refers by name to a record that is defined earlier in the same schema: Avro allows only one definition. */
export const again = <T>({ schema }: AvroRecord<T>): AvroType<T> => ({ schema: schema.name });

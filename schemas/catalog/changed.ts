import { type AvroRecord, type AvroType, array, enumeration, optional, record, string, time, word } from "../avro.ts";

/** The fields that an update may clear. */
export type Clearable<Fields> = {
  [F in keyof Fields]-?: null extends Fields[F] ? F : never;
}[keyof Fields] &
  string;

/** The values that an event sets. A field that it does not set is null. */
export type SetFields<Fields> = { readonly [F in keyof Fields]: Fields[F] | null };

/**
 * The fields that an event sets and those that it clears. An event contains only what its writer changed, never the
 * whole object.
 */
export interface Patch<Fields> {
  readonly set: SetFields<Fields>;
  readonly cleared: readonly Clearable<Fields>[];
}

/** A change of an entity of the catalog. A creation sets every field that has a value; a deletion sets nothing. */
export interface Changed<Fields> extends Patch<Fields> {
  readonly id: string;
  readonly change: "created" | "updated" | "deleted";
  readonly at: number;
}

/** A change of an entity of any kind. */
export interface AnyChanged extends Pick<Changed<object>, "id" | "change" | "at"> {
  readonly set: object;
  readonly cleared: readonly string[];
}

type WireFields<Fields> = { readonly [F in keyof Fields]-?: AvroType<NonNullable<Fields[F]>> };

/** The wire form of `set`, in which every field is optional. */
export const setFieldsRecord = <Fields>(name: string, fields: WireFields<Fields>): AvroRecord<SetFields<Fields>> => {
  const named: [string, AvroType<unknown>][] = Object.entries(fields);
  // The compiler does not see that a mapped record has the same keys.
  return record(name, Object.fromEntries(named.map(([field, type]) => [field, optional(type)])) as never);
};

/** The record of a change of an entity. `name` is the entity's name. */
export const changedRecord = <Fields>(name: string, fields: WireFields<Fields>): AvroRecord<Changed<Fields>> =>
  record<Changed<Fields>>(`${name}Changed`, {
    id: string,
    change: enumeration(`${name}Change`, ["created", "updated", "deleted"], "updated"),
    at: time,
    set: setFieldsRecord<Fields>(`${name}Fields`, fields),
    cleared: array(word<Clearable<Fields>>()),
  });

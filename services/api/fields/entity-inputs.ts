// Checks the caller's values for the fields of an entity by the type of each field.
import type { Entities, FieldDescription, FieldType } from "../../../projections/catalog/define-entity.ts";
import { entities } from "../../../projections/catalog/entities.ts";
import { badInput, notFound } from "../../../schemas/errors.ts";
import { toPosition } from "../write/detection.ts";
import { parseRegions } from "../write/regions.ts";
import { acceptTimezone, checkText } from "../write/text.ts";

export type Path = readonly (string | number)[];
type Fields = readonly (readonly [string, FieldDescription])[];
export type Input = Readonly<Record<string, unknown>>;

/** Checks what GraphQL's types cannot say. */
type Parse = (value: never, path: Path) => unknown;

const asItIs: Parse = (value) => value;
const parsers: Readonly<Record<FieldType, Parse>> = {
  name: (value: string, path) => checkText(value, path),
  text: (value: string, path) => checkText(value, path),
  names: (value: readonly string[], path) => value.map((each, i) => checkText(each, [...path, i])),
  word: asItIs,
  flag: asItIs,
  time: asItIs,
  timezone: acceptTimezone,
  point: toPosition,
  regions: parseRegions,
};

/** Everything that a creation sets; null where it sets nothing. */
export function createdFields(fields: Fields, input: Input, known: Entities, path: Path): object {
  return Object.fromEntries(
    fields.map(([name, field]) => [name, parse(field, input[name] ?? field.initial ?? null, known, [...path, name])]),
  );
}

/** A member left out changes nothing; null clears the field. */
export function updatedFields(fields: Fields, input: Input, known: Entities, path: Path) {
  const cleared: string[] = [];
  const set = fields.map(([name, field]) => {
    const value = input[name];
    if (value === null && !field.nullable) throw badInput("it may not be null", [...path, name]);
    if (value === null) cleared.push(name);
    return [name, parse(field, value ?? null, known, [...path, name])];
  });
  return { set: Object.fromEntries(set), cleared };
}

function parse({ type, refersTo }: FieldDescription, value: unknown, known: Entities, path: Path): unknown {
  if (value === null) return null;
  const parsed = parsers[type](value as never, path);
  if (refersTo === undefined) return parsed;
  const id = String(parsed);
  if (known.get(refersTo, id) === undefined) throw notFound(entities[refersTo].name, id, path);
  return parsed;
}

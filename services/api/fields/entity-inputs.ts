// What a caller gives for the fields of an entity, checked by the type of each field.
import type { FieldDescription, FieldType } from "../../../projections/catalog/define-entity.ts";
import { entities } from "../../../projections/catalog/entities.ts";
import { badInput, notFound } from "../../../schemas/errors.ts";
import type { ApiContext } from "../graphql/context.ts";
import { parseMetadata, toPosition } from "../write/detection.ts";
import { parseMarkers } from "../write/markers.ts";
import { parseRegion, parseRegions } from "../write/regions.ts";
import { acceptTimezone, checkText, checkTexts } from "../write/text.ts";

export type Path = readonly (string | number)[];
type Fields = readonly (readonly [string, FieldDescription])[];
export type Input = Readonly<Record<string, unknown>>;

/** GraphQL has checked what its types say; the rest is checked here. */
type Parse = (value: never, path: Path, door: Door) => unknown;

/** What is known, and what is bounded. */
type Door = Pick<ApiContext, "catalog" | "maxZoneVertices">;

const asItIs: Parse = (value) => value;
const parsers: Readonly<Record<FieldType, Parse>> = {
  name: checkText,
  text: checkText,
  names: checkTexts,
  word: asItIs,
  flag: asItIs,
  number: asItIs,
  time: asItIs,
  timezone: acceptTimezone,
  json: parseMetadata,
  point: toPosition,
  region: parseRegion,
  regions: parseRegions,
  markers: parseMarkers,
};

/** Everything that a creation sets; null where it sets nothing. */
export function createdFields(fields: Fields, input: Input, door: Door, path: Path): object {
  return Object.fromEntries(
    fields.map(([name, field]) => [name, parse(field, input[name] ?? field.initial ?? null, door, [...path, name])]),
  );
}

/** A member left out is not said; null clears. */
export function updatedFields(fields: Fields, input: Input, door: Door, path: Path) {
  const cleared: string[] = [];
  const set = fields.map(([name, field]) => {
    const value = input[name];
    if (value === null && !field.nullable) throw badInput("it may not be null", [...path, name]);
    if (value === null) cleared.push(name);
    return [name, parse(field, value ?? null, door, [...path, name])];
  });
  return { set: Object.fromEntries(set), cleared };
}

function parse({ type, refersTo }: FieldDescription, value: unknown, door: Door, path: Path): unknown {
  if (value === null) return null;
  const parsed = parsers[type](value as never, path, door);
  if (refersTo === undefined) return parsed;
  const id = String(parsed);
  if (door.catalog.get(refersTo, id) === undefined) throw notFound(entities[refersTo].name, id, path);
  return parsed;
}

// What a caller gives for the fields of an entity, checked by the type of each field.
import type { FieldDescription, FieldType } from "../../../projections/catalog/define-entity.ts";
import { entities } from "../../../projections/catalog/entities.ts";
import { notFound } from "../../../schemas/errors.ts";
import type { ApiContext } from "../graphql/context.ts";
import { parseMetadata, toPosition } from "../write/detection.ts";
import { parseMarkers } from "../write/markers.ts";
import { parseGeofenceBounds, parseRegion, parseRegions } from "../write/regions.ts";
import type { Input, Path } from "../write/said.ts";
import * as said from "../write/said.ts";
import { acceptTimezone, checkText, checkTexts } from "../write/text.ts";

type Fields = readonly (readonly [string, FieldDescription])[];

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
  bounds: parseGeofenceBounds,
  regions: parseRegions,
  markers: parseMarkers,
};

/** Everything that a creation sets; null where it sets nothing. */
export const createdFields = (fields: Fields, input: Input, door: Door, path: Path): object =>
  said.createdFields(fields, input, path, (field, value, at) => parse(field, value, door, at));

/** A member left out is not said; null clears. */
export const updatedFields = (fields: Fields, input: Input, door: Door, path: Path) =>
  said.updatedFields(fields, input, path, (field, value, at) => parse(field, value, door, at));

function parse({ type, refersTo }: FieldDescription, value: unknown, door: Door, path: Path): unknown {
  const parsed = parsers[type](value as never, path, door);
  if (refersTo === undefined) return parsed;
  const id = String(parsed);
  if (door.catalog.get(refersTo, id) === undefined) throw notFound(entities[refersTo].name, id, path);
  return parsed;
}

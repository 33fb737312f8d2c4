// Parses the fields of an entity in an input, each with the check of its type.
import type { FieldDescription, FieldType } from "../../../projections/catalog/define-entity.ts";
import { entities } from "../../../projections/catalog/entities.ts";
import { type InputPath, notFound } from "../../../schemas/errors.ts";
import type { ApiContext } from "../graphql/context.ts";
import { parseMetadata, toPosition } from "../write/detection.ts";
import type { Input } from "../write/input-fields.ts";
import * as inputFields from "../write/input-fields.ts";
import { parseMarkers } from "../write/markers.ts";
import { parseGeofenceBounds, parseRegion, parseRegions } from "../write/regions.ts";
import { acceptTimezone, checkText, checkTexts } from "../write/text.ts";

type Fields = readonly (readonly [string, FieldDescription])[];

/** GraphQL has checked the rules of its types; the remaining ones are checked here. */
type Parse = (value: never, path: InputPath, context: ParseContext) => unknown;

/** The catalog, for the checks of references, and the limit of vertices. */
type ParseContext = Pick<ApiContext, "catalog" | "maxZoneVertices">;

const identity: Parse = (value) => value;
const parsers: Readonly<Record<FieldType, Parse>> = {
  name: checkText,
  text: checkText,
  names: checkTexts,
  word: identity,
  flag: identity,
  number: identity,
  time: identity,
  timezone: acceptTimezone,
  json: parseMetadata,
  point: toPosition,
  region: parseRegion,
  bounds: parseGeofenceBounds,
  regions: parseRegions,
  markers: parseMarkers,
};

/** Returns all fields of a creation; null for those without a value. */
export const createdEntityFields = (fields: Fields, input: Input, context: ParseContext, path: InputPath): object =>
  inputFields.createdInputFields(fields, input, path, (field, value, at) => parse(field, value, context, at));

/** Returns the fields of an update: an absent member stays, null clears. */
export const updatedEntityFields = (fields: Fields, input: Input, context: ParseContext, path: InputPath) =>
  inputFields.updatedInputFields(fields, input, path, (field, value, at) => parse(field, value, context, at));

function parse({ type, refersTo }: FieldDescription, value: unknown, context: ParseContext, path: InputPath): unknown {
  const parsed = parsers[type](value as never, path, context);
  if (refersTo === undefined) return parsed;
  const id = String(parsed);
  if (context.catalog.get(refersTo, id) === undefined) throw notFound(entities[refersTo].name, id, path);
  return parsed;
}

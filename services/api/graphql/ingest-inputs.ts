// Parsers for the inputs that come by the thousand. graphql-js coerces an input value type by type and path by path,
// which costs more than all other work on a detection here. So the full schema is published and validates operations,
// and mutations are executed with a twin of it in which these inputs are scalars of the same names. Each scalar has a
// parser for the usual shape; a member of any other shape goes through graphql-js' own coercion with its full type.
import {
  coerceInputValue,
  type DocumentNode,
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
  type GraphQLSchema,
  isInputObjectType,
  Kind,
  type ValueNode,
  valueFromAST,
} from "graphql";
import { parseDateTime } from "../../../schemas/date-time.ts";
import { isJsonObject } from "../../../schemas/json.ts";
import { createSlices } from "../../common/slices.ts";

const ingestInputs = ["CreateDetectionInput", "TrackDetectionInput", "GeoJSONPolygonInput"] as const;

/** @returns undefined for a value without the usual shape, which may still be valid. */
type Parse = (value: unknown, type: GraphQLInputObjectType) => Record<string, unknown> | undefined;

const parsers: Readonly<Record<(typeof ingestInputs)[number], Parse>> = {
  CreateDetectionInput: (value, type) => coerceDetection(value, type, 2),
  TrackDetectionInput: (value, type) => coerceDetection(value, type, 1),
  GeoJSONPolygonInput: (value, type) => coercePolygon(value, type),
};

/** Returns the SDL with the ingest inputs declared as scalars. */
export function withIngestScalars(document: DocumentNode): DocumentNode {
  const definitions = document.definitions.map((definition) =>
    definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION && isIngestInput(definition.name.value)
      ? ({ kind: Kind.SCALAR_TYPE_DEFINITION, name: definition.name } as const)
      : definition,
  );
  return { ...document, definitions };
}

/** Returns the parsers of the twin's scalars, by name. `full` is the schema in which they are input objects. */
export function ingestScalars(full: GraphQLSchema) {
  return Object.fromEntries(ingestInputs.map((name) => [name, parserOf(full, name)]));
}

function parserOf(full: GraphQLSchema, name: (typeof ingestInputs)[number]) {
  const type = inputType(full, name);
  return {
    parseValue: (value: unknown) => parsers[name](value, type) ?? coerce(value, type),
    parseLiteral: (node: ValueNode, variables?: Record<string, unknown> | null) => {
      const value = valueFromAST(node, type, variables);
      if (value === undefined) throw new GraphQLError(`not a ${name}`, { nodes: node });
      return value;
    },
  } satisfies Partial<GraphQLScalarType>;
}

function inputType(schema: GraphQLSchema, name: (typeof ingestInputs)[number]): GraphQLInputObjectType {
  const type = schema.getType(name);
  if (!isInputObjectType(type)) throw new Error(`the schema has no input ${name}`);
  return type;
}

function coerce(value: unknown, type: GraphQLInputType): unknown {
  return coerceInputValue(value, type, (_path, _invalid, error) => {
    throw error;
  });
}

/** `required` is the number of members, track id and timestamp, that must be present. */
function coerceDetection(value: unknown, type: GraphQLInputObjectType, required: number) {
  if (!isJsonObject(value)) return undefined;
  const parsed: Record<string, unknown> = {};
  let missing = required;
  for (const key in value) {
    const field = type.getFields()[key];
    if (field === undefined) return undefined;
    if (key === "trackId" || key === "timestamp") missing -= 1;
    parsed[key] = coerceMember(key, value[key], field.type);
  }
  return missing === 0 ? parsed : undefined;
}

/** Returns the coercion of single members of an input, which throws when one is wrong. */
export function memberCoercion(full: GraphQLSchema, name: (typeof ingestInputs)[number]) {
  const fields = inputType(full, name).getFields();
  return (key: string, member: unknown): unknown => {
    const field = fields[key];
    if (field === undefined) throw new Error(`${name} has no member ${key}`);
    return coerceMember(key, member, field.type);
  };
}

function coerceMember(key: string, member: unknown, type: GraphQLInputType): unknown {
  switch (key) {
    case "trackId":
      return typeof member === "string" ? member : coerce(member, type);
    case "timestamp":
      return (typeof member === "string" ? parseDateTime(member) : undefined) ?? coerce(member, type);
    case "polygon":
      return (isInputObjectType(type) ? coercePolygon(member, type) : undefined) ?? coerce(member, type);
    case "direction":
      return isNumber(member) ? member : coerce(member, type);
    case "metadata":
      return member;
    default:
      return coerce(member, type);
  }
}

function coercePolygon(value: unknown, type: GraphQLInputObjectType): Record<string, unknown> | undefined {
  if (!isJsonObject(value) || !areRings(value["coordinates"])) return undefined;
  const parsed: Record<string, unknown> = { type: "Polygon" };
  for (const key in value) {
    const field = type.getFields()[key];
    if (field === undefined) return undefined;
    parsed[key] = key === "coordinates" ? value[key] : coerce(value[key], field.type);
  }
  return parsed;
}

/**
 * Rings that `checkPolygons` found valid before execution. The coercion does not check them again, because graphql-js
 * coerces all variables of an operation without a pause.
 */
const known = new WeakSet<readonly unknown[]>();
/** Levels of lists in an input: the deepest input is a list of tracks with lists of detections. */
const LISTS = 2;

/** Checks the polygons of large variables, with pauses. The coercion then reports the wrong ones. */
export async function checkPolygons(values: Iterable<unknown>): Promise<void> {
  const slices = createSlices();
  for (const value of values) {
    for (const polygon of polygonsIn(value, LISTS)) {
      const rings = isJsonObject(polygon) ? polygon["coordinates"] : undefined;
      if (Array.isArray(rings) && areRings(rings)) known.add(rings);
      if (slices.isOver()) await slices.next();
    }
  }
  await slices.next();
}

/** Yields undefined for an object without a polygon. */
function* polygonsIn(value: unknown, lists: number): Generator<unknown> {
  if (Array.isArray(value)) {
    if (lists > 0) for (const each of value) yield* polygonsIn(each, lists - 1);
  } else if (isJsonObject(value)) {
    yield value["polygon"];
    if (Array.isArray(value["detections"])) yield* polygonsIn(value["detections"], lists);
  }
}

function areRings(rings: unknown): boolean {
  if (!Array.isArray(rings)) return false;
  if (known.has(rings)) return true;
  for (const ring of rings) {
    if (!Array.isArray(ring)) return false;
    for (const point of ring) {
      if (!Array.isArray(point)) return false;
      for (const number of point) if (!isNumber(number)) return false;
    }
  }
  return true;
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

const isIngestInput = (name: string): boolean => ingestInputs.some((input) => input === name);

// Parsers for the inputs that come by the thousand. graphql-js coerces an input value type by type and path by path, which
// costs more than everything else that a detection meets here. So operations are validated and published with the full
// schema, and mutations are executed with a twin of it in which these inputs are scalars of the same names. Each has a
// parser for the usual shape; anything unusual goes through graphql-js' own coercion with the full input type.
import {
  coerceInputValue,
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLScalarType,
  type GraphQLSchema,
  isInputObjectType,
  Kind,
  type ValueNode,
  valueFromAST,
} from "graphql";
import { parseDateTime } from "./date-time.ts";

const ingestInputs = ["CreateDetectionInput", "TrackDetectionInput"] as const;

/** The SDL with the ingest inputs declared as scalars. */
export function withIngestScalars(document: DocumentNode): DocumentNode {
  const definitions = document.definitions.map((definition) =>
    definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION && isIngestInput(definition.name.value)
      ? ({ kind: Kind.SCALAR_TYPE_DEFINITION, name: definition.name } as const)
      : definition,
  );
  return { ...document, definitions };
}

/** How the twin's scalars parse, by name. `full` is the schema that has them as input objects. */
export function ingestScalars(full: GraphQLSchema) {
  return Object.fromEntries(ingestInputs.map((name) => [name, parserOf(full, name)]));
}

function parserOf(full: GraphQLSchema, name: (typeof ingestInputs)[number]) {
  const type = full.getType(name);
  if (!isInputObjectType(type)) throw new Error(`the schema has no input ${name}`);
  const hasTrackId = name === "CreateDetectionInput";
  return {
    parseValue: (value: unknown) => parseDetection(value, hasTrackId) ?? coerce(value, type),
    parseLiteral: (node: ValueNode, variables?: Record<string, unknown> | null) => {
      const value = valueFromAST(node, type, variables);
      if (value === undefined) throw new GraphQLError(`not a ${name}`, { nodes: node });
      return value;
    },
  } satisfies Partial<GraphQLScalarType>;
}

function coerce(value: unknown, type: GraphQLInputType): unknown {
  return coerceInputValue(value, type, (_path, _invalid, error) => {
    throw error;
  });
}

/** As coercion would give it; undefined = not of the usual shape, which does not mean that it is wrong. */
function parseDetection(value: unknown, hasTrackId: boolean): Record<string, unknown> | undefined {
  if (!isObject(value)) return undefined;
  const parsed: Record<string, unknown> = {};
  let required = hasTrackId ? 2 : 1;
  for (const key in value) {
    const member = value[key];
    switch (key) {
      case "trackId":
        if (!hasTrackId || typeof member !== "string") return undefined;
        parsed[key] = member;
        required -= 1;
        break;
      case "timestamp": {
        const time = typeof member === "string" ? parseDateTime(member) : undefined;
        if (time === undefined) return undefined;
        parsed[key] = time;
        required -= 1;
        break;
      }
      case "polygon":
        if (!isPolygon(member)) return undefined;
        parsed[key] = member.type === undefined ? { type: "Polygon", ...member } : member;
        break;
      case "direction":
        if (!isNumber(member)) return undefined;
        parsed[key] = member;
        break;
      case "metadata":
        parsed[key] = member;
        break;
      default:
        return undefined;
    }
  }
  return required === 0 ? parsed : undefined;
}

interface PlainPolygon {
  readonly type?: string;
  readonly coordinates: number[][][];
}

function isPolygon(value: unknown): value is PlainPolygon {
  if (!isObject(value)) return false;
  for (const key in value) if (key !== "type" && key !== "coordinates") return false;
  const { type, coordinates } = value;
  if ((type !== undefined && typeof type !== "string") || !Array.isArray(coordinates)) return false;
  for (const ring of coordinates) {
    if (!Array.isArray(ring)) return false;
    for (const point of ring) {
      if (!Array.isArray(point)) return false;
      for (const number of point) if (!isNumber(number)) return false;
    }
  }
  return true;
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isIngestInput = (name: string): boolean => ingestInputs.some((input) => input === name);

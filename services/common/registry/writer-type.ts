// Creates an Avro type from a schema that any producer registered, if its values can be read without harm.
import avro from "avsc";
import type { RegisteredSchema } from "./fetch-schema.ts";

/**
 * Maximum characters of a schema that is compiled. The largest schema of tracklog has 3 kB. A type takes up to 60 times
 * as much memory as its schema.
 */
export const MAX_SCHEMA_CHARACTERS = 32 * 1024;

/** Throws when there is no such type. It compiles only a short schema of a record with one of these full names. */
export function writerType(
  { schemaType = "AVRO", schema, references = [] }: RegisteredSchema,
  names: ReadonlySet<string>,
): avro.Type {
  if (schemaType !== "AVRO") throw new Error(`it is ${schemaType}, not Avro`);
  if (!Array.isArray(references) || references.length > 0) throw new Error("it refers to other schemas");
  if (schema.length > MAX_SCHEMA_CHARACTERS) throw new Error(`it is longer than ${MAX_SCHEMA_CHARACTERS} characters`);
  const parsed = JSON.parse(schema);
  if (!names.has(fullNameOf(parsed))) throw new Error("it is no record of tracklog");
  const type = avro.Type.forSchema(parsed);
  countNodes(type, new Map());
  return type;
}

/** @returns an empty text when it is no record. */
export function fullNameOf(schema: unknown): string {
  if (typeof schema !== "object" || schema === null || !("type" in schema) || schema.type !== "record") return "";
  const name = "name" in schema ? String(schema.name) : "";
  return name.includes(".") || !("namespace" in schema) ? name : `${schema.namespace}.${name}`;
}

type Nested = avro.Type & {
  readonly itemsType?: avro.Type;
  readonly valuesType?: avro.Type;
  readonly types?: readonly avro.Type[];
  readonly fields?: readonly { readonly type: avro.Type }[];
};

/** Maximum number of steps. The largest record of tracklog has fewer than 200. */
const MAX_NODES = 10_000;

/**
 * Counts the steps in which a value without lists is read. Throws when there are too many: a few lines can name a type
 * twice within a type that is named twice, and so on. Throws for a type that takes no byte, too, because the bytes of
 * the message would then no longer limit the steps.
 */
function countNodes(type: Nested, counts: Map<avro.Type, number>): number {
  const known = counts.get(type);
  if (known !== undefined) return known;
  counts.set(type, 1);
  const { itemsType, valuesType, types = [], fields = [] } = type;
  const parts = fields.map((field) => field.type);
  if (itemsType !== undefined) parts.push(itemsType);
  if (parts.some(isWeightless)) throw new Error("it has a part without a byte");
  if (valuesType !== undefined) parts.push(valuesType);
  const nodes = [...parts, ...types].reduce((sum, part) => sum + countNodes(part, counts), 1);
  if (nodes > MAX_NODES) throw new Error("it nests too many types");
  counts.set(type, nodes);
  return nodes;
}

const isWeightless = (type: Nested): boolean =>
  type.typeName === "null" || (type.typeName === "record" && type.fields?.length === 0);

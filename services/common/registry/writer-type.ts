// Makes an Avro type of a schema that somebody registered, if values of it can be read without harm.
import avro from "avsc";
import type { RegisteredSchema } from "./fetch-schema.ts";

/** Throws when there is no such type. */
export function writerType({ schemaType = "AVRO", schema, references = [] }: RegisteredSchema): avro.Type {
  if (schemaType !== "AVRO") throw new Error(`it is ${schemaType}, not Avro`);
  if (!Array.isArray(references) || references.length > 0) throw new Error("it refers to other schemas");
  const type = avro.Type.forSchema(JSON.parse(schema));
  countNodes(type, new Map());
  return type;
}

type Nested = avro.Type & {
  readonly itemsType?: avro.Type;
  readonly valuesType?: avro.Type;
  readonly types?: readonly avro.Type[];
  readonly fields?: readonly { readonly type: avro.Type }[];
};

/** The largest record of tracklog has fewer than 200. */
const MAX_NODES = 10_000;

/**
 * Counts the steps in which a value without lists is read. Throws when there are too many: a few lines can name a type
 * twice within a type that is named twice, and so on. Throws for a type without a byte, too: then the steps are no
 * longer bounded by the bytes of the message.
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

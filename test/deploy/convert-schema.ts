// Turns the schemas of Kubernetes into JSON Schema that refuses unknown members.
import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/** Members that hold schemas by names that are not keywords. */
const MAPS: ReadonlySet<string> = new Set(["properties", "definitions", "patternProperties"]);
/** Members that hold a list of schemas. They add conditions to an object whose members the schema around them lists. */
const COMBINED: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf"]);
const KEPT: ReadonlySet<string> = new Set([
  "$ref",
  "additionalProperties",
  "enum",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "items",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "multipleOf",
  "not",
  "pattern",
  "required",
  "type",
  "uniqueItems",
]);

/** Kubernetes parses quantities such as 250m or 1Gi itself. */
const QUANTITY = {
  type: ["string", "number"],
  pattern: "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$",
};

const schemaObject = z.record(z.string(), z.unknown());

/** `name` is that of the definition, or of the kind. The status is left out: nobody writes it. */
export function convertSchema(name: string, schema: JsonSchema): JsonSchema {
  if (name.endsWith("api.resource.Quantity")) return QUANTITY;
  if (name.endsWith("util.intstr.IntOrString")) return { type: ["integer", "string"] };
  const converted = convert(schema, true);
  const { status: _, ...properties } = schemaObject.catch({}).parse(converted["properties"]);
  return Object.keys(properties).length === 0 ? converted : { ...converted, properties };
}

function convert(schema: JsonSchema, isWhole: boolean): JsonSchema {
  if (schema["x-kubernetes-int-or-string"] === true || schema["format"] === "int-or-string") {
    const { pattern } = schema;
    return { type: ["integer", "string"], ...(pattern === undefined ? {} : { pattern }) };
  }
  const converted: JsonSchema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (MAPS.has(key)) converted[key] = convertMap(value, isWhole);
    else if (COMBINED.has(key))
      converted[key] = z
        .array(schemaObject)
        .parse(value)
        .map((each) => convert(each, false));
    else if (KEPT.has(key))
      converted[key] = isSchemaHolder(key, value) ? convert(value, key !== "not" && isWhole) : value;
  }
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true || "additionalProperties" in schema;
  if (isWhole && "properties" in schema && !isOpen) converted["additionalProperties"] = false;
  if (schema["nullable"] === true && typeof schema["type"] === "string") converted["type"] = [schema["type"], "null"];
  return converted;
}

const convertMap = (value: unknown, isWhole: boolean): JsonSchema =>
  Object.fromEntries(
    Object.entries(schemaObject.parse(value)).map(([name, each]) => [name, convert(schemaObject.parse(each), isWhole)]),
  );

const isSchemaHolder = (key: string, value: unknown): value is JsonSchema =>
  (key === "items" || key === "additionalProperties" || key === "not") && typeof value === "object" && value !== null;

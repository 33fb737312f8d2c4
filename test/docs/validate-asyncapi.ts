// Validates an AsyncAPI document by the schema of its specification, in which misspelt members are errors.
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import avro from "avsc";
import { messageOf } from "../../schemas/errors.ts";
import { isObject, type JsonObject, objectAt } from "./breaking/finding.ts";

const validate = compileSchema();

function compileSchema() {
  // The schema contains that of JSON Schema itself.
  const ajv = new Ajv({ strict: false, allErrors: true, meta: false, validateSchema: false });
  addFormats.default(ajv);
  return ajv.compile(JSON.parse(readFileSync(new URL("schemas/asyncapi.json", import.meta.url), "utf8")));
}

/** Lists the faults, each with its place. */
export function asyncApiFaults(document: JsonObject): readonly string[] {
  const faults = validate(document) ? [] : (validate.errors ?? []);
  return [
    ...new Set(
      faults.map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`),
    ),
    ...danglingReferences(document, document),
    ...avroFaults(document),
  ];
}

/** The schema of the specification does not follow references. */
function danglingReferences(value: unknown, document: JsonObject): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => danglingReferences(each, document));
  if (!isObject(value)) return [];
  const { $ref: reference } = value;
  if (typeof reference !== "string") return Object.values(value).flatMap((each) => danglingReferences(each, document));
  const parts = reference.split("/").slice(1);
  const found = parts.reduce<unknown>((inner, part) => (isObject(inner) ? inner[part] : undefined), document);
  return found === undefined ? [`${reference} leads nowhere`] : [];
}

/** The schema of the specification accepts any name of an Avro type. */
function avroFaults(document: JsonObject): readonly string[] {
  return Object.entries(objectAt(objectAt(document, "components"), "messages")).flatMap(([name, message]) => {
    try {
      const { schema } = objectAt(isObject(message) ? message : {}, "payload");
      // The wire: avsc checks the schema.
      avro.Type.forSchema(schema as avro.Schema);
      return [];
    } catch (error) {
      return [`${name}: ${messageOf(error)}`];
    }
  });
}

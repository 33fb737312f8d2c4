// A JSON schema as a table of its members.
import { isObject, type JsonObject, listAt, objectAt } from "../breaking/finding.ts";
import { type Html, html, mark, phrase, table } from "./html.ts";

/** Names the type of a schema; members of objects follow in a table. */
export const schemaHtml = (schema: unknown): Html =>
  html`<code>${typeHtml(schema)}</code>${boundsHtml(schema)}${membersHtml(schema)}`;

/** A list of an object's members, or of the members of a list's items. */
export function membersHtml(schema: unknown): Html {
  if (!isObject(schema)) return html``;
  const required = listAt(schema, "required");
  const rows = Object.entries(objectAt(schema, "properties")).map(([name, member]) => [
    html`<code>${name}</code>${required.includes(name) ? "" : mark("optional")}`,
    html`<code>${typeHtml(member)}</code>${boundsHtml(member)}`,
    html`${phrase(textOf(member))}${membersHtml(member)}`,
  ]);
  const inner = [
    ...listAt(schema, "anyOf"),
    ...listAt(schema, "oneOf"),
    schema["items"],
    schema["additionalProperties"],
  ].map(membersHtml);
  return html`${table(["member", "type", ""], rows)}${inner}`;
}

const textOf = (schema: unknown): string => {
  const text = isObject(schema) ? schema["description"] : undefined;
  return typeof text === "string" ? text : "";
};

function typeHtml(schema: unknown): Html {
  if (!isObject(schema)) return html`any`;
  const { $ref: reference, type, items } = schema;
  if (typeof reference === "string") {
    const name = reference.split("/").at(-1) ?? "";
    return html`<a href="#${name}">${name}</a>`;
  }
  if ("const" in schema) return html`${JSON.stringify(schema["const"])}`;
  const words = listAt(schema, "enum");
  if (words.length > 0) return joined(words.map((word) => html`${JSON.stringify(word)}`));
  const alternatives = [...listAt(schema, "anyOf"), ...listAt(schema, "oneOf")];
  if (alternatives.length > 0) return joined(alternatives.map(typeHtml));
  if (Array.isArray(type)) return joined(type.map((each) => typeHtml({ ...schema, type: each })));
  if (type === "array") return html`list of ${typeHtml(items)}`;
  if (isMap(schema)) return html`map of ${typeHtml(schema["additionalProperties"])}`;
  const format = type === "string" ? schema["format"] : undefined;
  return html`${typeof type === "string" ? type : "any"}${typeof format === "string" ? ` (${format})` : ""}`;
}

/** An object whose members have names that the schema does not list. */
const isMap = (schema: JsonObject): boolean =>
  isObject(schema["additionalProperties"]) &&
  Object.keys(schema["additionalProperties"]).length > 0 &&
  Object.keys(objectAt(schema, "properties")).length === 0;

const joined = (parts: readonly Html[]): Html =>
  html`${parts.map((part, at) => html`${at === 0 ? "" : " | "}${part}`)}`;

const BOUNDS = {
  minimum: "from",
  exclusiveMinimum: "above",
  maximum: "to",
  exclusiveMaximum: "below",
  minLength: "at least … characters",
  maxLength: "at most … characters",
  minItems: "at least … entries",
  maxItems: "at most … entries",
} as const;

function boundsHtml(schema: unknown): Html {
  if (!isObject(schema)) return html``;
  const bounds = Object.entries(BOUNDS).flatMap(([name, words]) => {
    const bound = schema[name];
    if (typeof bound !== "number" || Math.abs(bound) === Number.MAX_SAFE_INTEGER) return [];
    return [words.includes("…") ? words.replace("…", String(bound)) : `${words} ${bound}`];
  });
  const fallback = "default" in schema ? [`default ${JSON.stringify(schema["default"])}`] : [];
  const all = [...bounds, ...fallback];
  return all.length === 0 ? html`` : mark(all.join(", "));
}

export const descriptionOf = (value: JsonObject): string => textOf(value);

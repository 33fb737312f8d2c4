// Compares two JSON schemas of one value. A caller's value may only be accepted more widely: a body that was valid must
// stay valid. An answer may only become narrower: a client that could read it must still be able to. An answer may get
// further members, because clients ignore those that they do not know.
import {
  breaking,
  type Change,
  isObject,
  type JsonObject,
  listAt,
  notable,
  objectAt,
  resolveReference,
} from "./finding.ts";

/** A caller sends the value, or the server answers it. */
export type Use = "sent" | "answered";

/** A schema, and the document that its references lead into. */
export interface SchemaIn {
  readonly document: JsonObject;
  readonly schema: unknown;
}

/** The keywords that the comparison knows. Those with a constraint that is not among them would pass unnoticed. */
export const KNOWN_KEYWORDS: ReadonlySet<string> = new Set([
  ...["$ref", "type", "enum", "const", "anyOf", "oneOf", "properties", "required", "additionalProperties", "items"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems"],
  ...["pattern", "format", "prefixItems", "propertyNames"],
  ...["description", "default", "title", "examples", "deprecated", "readOnly", "id", "contentEncoding"],
]);

/** Compares each pair of components once. Its changes are returned wherever the pair occurs, with the same texts. */
export function createSchemaComparison() {
  const compared = new Map<string, readonly Change[]>();

  function compare(before: SchemaIn, after: SchemaIn, use: Use, where: string): readonly Change[] {
    const [old, present] = [referenceOf(before), referenceOf(after)];
    if (old === undefined || old !== present) return alternatives(before, after, use, where);
    const pair = `${old} ${use}`;
    const known = compared.get(pair);
    if (known !== undefined) return known;
    // A component may refer to itself.
    compared.set(pair, []);
    const changes = alternatives(before, after, use, `${old.split("/").at(-1)} (${use})`);
    compared.set(pair, changes);
    return changes;
  }

  function alternatives(before: SchemaIn, after: SchemaIn, use: Use, where: string): readonly Change[] {
    const [olds, presents] = [alternativesOf(before), alternativesOf(after)];
    const [narrow, wide] = use === "sent" ? [olds, presents] : [presents, olds];
    return narrow.flatMap((one) => {
      const attempts = wide.map((other) =>
        use === "sent" ? single(one, other, use, where) : single(other, one, use, where),
      );
      return attempts.reduce<readonly Change[] | undefined>(fewer, undefined) ?? [breaking(`${where}: nothing fits`)];
    });
  }

  function single(before: SchemaIn, after: SchemaIn, use: Use, where: string): readonly Change[] {
    const [old, present] = [schemaOf(before), schemaOf(after)];
    const type = typeChange(old, present, use, where);
    if (type !== undefined) return [type];
    const inner = (schema: unknown, side: SchemaIn): SchemaIn => ({ ...side, schema });
    const pairs: (readonly [unknown, unknown, string])[] = [];
    const [oldMembers, members] = [objectAt(old, "properties"), objectAt(present, "properties")];
    for (const [name, schema] of Object.entries(oldMembers)) {
      if (members[name] !== undefined) pairs.push([schema, members[name], `${where}/${name}`]);
    }
    if (isObject(old["items"]) && isObject(present["items"]))
      pairs.push([old["items"], present["items"], `${where}/*`]);
    const [oldRest, rest] = [old["additionalProperties"], present["additionalProperties"]];
    if (isObject(oldRest) && isObject(rest)) pairs.push([oldRest, rest, `${where}/*`]);
    listAt(old, "prefixItems").forEach((schema, at) => {
      pairs.push([schema, listAt(present, "prefixItems")[at] ?? false, `${where}/${at}`]);
    });
    return [
      ...wordChanges(old, present, use, where),
      ...memberChanges(old, present, use, where),
      ...(use === "sent" ? tighterBounds(old, present, where) : []),
      ...formatChange(old, present, use, where),
      ...pairs.flatMap(([one, other, place]) => compare(inner(one, before), inner(other, after), use, place)),
    ];
  }

  return compare;
}

/** The alternative that fits best shows what has changed. */
function fewer(least: readonly Change[] | undefined, found: readonly Change[]): readonly Change[] {
  const count = (changes: readonly Change[]) => changes.filter(({ isBreaking }) => isBreaking).length;
  if (least === undefined) return found;
  const difference = count(found) - count(least);
  return difference < 0 || (difference === 0 && found.length < least.length) ? found : least;
}

const schemaOf = ({ schema }: SchemaIn): JsonObject => (isObject(schema) ? schema : {});

function referenceOf(side: SchemaIn): string | undefined {
  const reference = schemaOf(side)["$ref"];
  return typeof reference === "string" ? reference : undefined;
}

function alternativesOf(side: SchemaIn): readonly SchemaIn[] {
  const reference = referenceOf(side);
  if (reference !== undefined) return alternativesOf({ ...side, schema: resolveReference(side.document, reference) });
  const schema = schemaOf(side);
  const listed = [...listAt(schema, "anyOf"), ...listAt(schema, "oneOf")];
  if (listed.length > 0) return listed.flatMap((each) => alternativesOf({ ...side, schema: each }));
  const types = listAt(schema, "type");
  return types.length === 0 ? [side] : types.map((type) => ({ ...side, schema: { ...schema, type } }));
}

function typeChange(old: JsonObject, present: JsonObject, use: Use, where: string): Change | undefined {
  const [was, is] = [typeOf(old), typeOf(present)];
  const [narrow, wide] = use === "sent" ? [was, is] : [is, was];
  if (wide === "any" || wide === narrow || (wide === "number" && narrow === "integer")) return undefined;
  return breaking(`${where}: ${was} became ${is}`);
}

function typeOf(schema: JsonObject): string {
  if (typeof schema["type"] === "string") return schema["type"];
  const [word] = wordsOf(schema) ?? [];
  return word === undefined ? "any" : word === null ? "null" : typeof word;
}

/** @returns undefined when the schema does not list its values. */
function wordsOf(schema: JsonObject): readonly unknown[] | undefined {
  if ("const" in schema) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
}

function wordChanges(old: JsonObject, present: JsonObject, use: Use, where: string): readonly Change[] {
  const [was, is] = [wordsOf(old), wordsOf(present)];
  if (use === "sent") {
    if (is === undefined) return [];
    if (was === undefined) return [breaking(`${where}: only ${JSON.stringify(is)} is accepted`)];
    return was
      .filter((word) => !is.includes(word))
      .map((word) => breaking(`${where}: ${JSON.stringify(word)} is refused`));
  }
  if (was === undefined) return [];
  if (is === undefined) return [breaking(`${where}: may be other than ${JSON.stringify(was)}`)];
  return is.filter((word) => !was.includes(word)).map((word) => notable(`${where}: may be ${JSON.stringify(word)}`));
}

function memberChanges(old: JsonObject, present: JsonObject, use: Use, where: string): readonly Change[] {
  const [oldMembers, members] = [objectAt(old, "properties"), objectAt(present, "properties")];
  const [wasRequired, isRequired] = [listAt(old, "required"), listAt(present, "required")];
  const removed = Object.keys(oldMembers).filter((name) => !(name in members));
  const changed =
    use === "sent"
      ? isRequired.filter((name) => !wasRequired.includes(name)).map((name) => `${where}/${name}: is required`)
      : wasRequired
          .filter((name) => !isRequired.includes(name) && String(name) in members)
          .map((name) => `${where}/${name}: may be missing`);
  const isClosed = use === "sent" && present["additionalProperties"] === false && old["additionalProperties"] !== false;
  return [
    ...removed.map((name) => `${where}/${name}: was removed`),
    ...changed,
    ...(isClosed && typeOf(old) === "object" ? [`${where}: refuses members that it does not know`] : []),
  ].map(breaking);
}

const UPPER = ["maximum", "exclusiveMaximum", "maxLength", "maxItems"] as const;
const LOWER = ["minimum", "exclusiveMinimum", "minLength", "minItems"] as const;

function tighterBounds(old: JsonObject, present: JsonObject, where: string): readonly Change[] {
  const isTighter = (bound: string, sign: 1 | -1): boolean => {
    const [was, is] = [old[bound], present[bound]];
    if (typeof is !== "number") return false;
    return typeof was !== "number" || sign * (was - is) > 0;
  };
  const tighter = [...UPPER.filter((each) => isTighter(each, 1)), ...LOWER.filter((each) => isTighter(each, -1))];
  const isOther = present["pattern"] !== undefined && present["pattern"] !== old["pattern"];
  return [...tighter, ...(isOther ? ["pattern"] : [])].map((bound) =>
    breaking(`${where}: ${bound} is ${JSON.stringify(present[bound])}, was ${JSON.stringify(old[bound]) ?? "none"}`),
  );
}

function formatChange(old: JsonObject, present: JsonObject, use: Use, where: string): readonly Change[] {
  const [was, is] = [old["format"], present["format"]];
  const isNarrower = use === "sent" ? is !== undefined && is !== was : was !== undefined && is !== was;
  return isNarrower ? [breaking(`${where}: format ${was ?? "none"} became ${is ?? "none"}`)] : [];
}

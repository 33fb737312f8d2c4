// Validates Kubernetes resources strictly: an unknown member, an unknown kind and a repeated key are errors. The
// schemas are made by make-schemas.ts from those of the projects that define the kinds.
import { readFileSync } from "node:fs";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { parseAllDocuments } from "yaml";

/** One kind's schema each, by `apiVersion kind`, and the definitions that they refer to. */
export interface SchemaBundle {
  readonly kinds: Readonly<Record<string, object>>;
  readonly definitions: Readonly<Record<string, object>>;
}

export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
}

/** Patterns of the Prometheus operator begin with `(?i)` or `^(?i)`, which JavaScript has as a flag only. */
const regExp = Object.assign(
  (pattern: string) => new RegExp(pattern.replace(/^(\^?)\(\?i\)/, "$1"), /^\^?\(\?i\)/.test(pattern) ? "i" : ""),
  { code: "new RegExp" },
);

const bundles = ["kubernetes", "custom"] as const;

/** Parses YAML documents. Throws when one is not a resource, or has a key twice. */
export function readResources(text: string): readonly Resource[] {
  return parseAllDocuments(text, { uniqueKeys: true, merge: false }).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    const value: unknown = document.toJS();
    if (!isResource(value)) throw new Error(`not a resource: ${JSON.stringify(value)?.slice(0, 100)}`);
    return value;
  });
}

const isResource = (value: unknown): value is Resource =>
  typeof value === "object" && value !== null && "apiVersion" in value && "kind" in value && "metadata" in value;

/** Returns a function that lists the faults of a resource, each with its place. */
export function createValidator(): (resource: Resource) => readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, code: { regExp } });
  const placeOf = new Map<string, string>();
  for (const name of bundles) {
    const bundle = JSON.parse(readFileSync(new URL(`schemas/${name}.json`, import.meta.url), "utf8")) as SchemaBundle;
    ajv.addSchema({ $id: `tracklog:${name}`, ...bundle });
    for (const kind of Object.keys(bundle.kinds)) placeOf.set(kind, `tracklog:${name}#/kinds/${pointer(kind)}`);
  }
  const compiled = new Map<string, ValidateFunction>();

  return (resource) => {
    const kind = `${resource.apiVersion} ${resource.kind}`;
    const place = placeOf.get(kind);
    if (place === undefined) return [`there is no schema of ${kind}: name it in test/deploy/make-schemas.ts`];
    const validate = compiled.get(kind) ?? ajv.compile({ $ref: place });
    compiled.set(kind, validate);
    return validate(resource) ? [] : (validate.errors ?? []).map(describeError);
  };
}

const pointer = (kind: string): string => encodeURIComponent(kind.replaceAll("~", "~0").replaceAll("/", "~1"));

const describeError = ({ instancePath, message = "", params }: ErrorObject): string =>
  `${instancePath || "/"} ${message} ${Object.values(params).join(" ")}`.trim();

// Checks requests and answers against an OpenAPI document, by JSON Schema and not by the code that made them.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { z } from "zod";

export interface Exchange {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** The body of the request, undefined when it has none. */
  readonly sent: unknown;
  readonly status: number;
  readonly contentType: string | null;
  readonly answer: unknown;
}

const json = z.record(z.string(), z.unknown());
const content = z.record(z.string(), z.object({ schema: json }));
const answerSpec = z.object({ content: content.optional() });
const operationSpec = z.object({
  requestBody: z.object({ content, required: z.boolean() }).optional(),
  responses: z.record(z.string(), z.union([z.object({ $ref: z.string() }), answerSpec])),
});
const documentSpec = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationSpec)),
  components: z.looseObject({ responses: z.record(z.string(), answerSpec) }),
});

/**
 * The check throws when an exchange does not fit the document. A refused request may have any form. A path or method
 * without an operation must be answered with a problem.
 */
export function createOpenApiCheck(document: unknown): (exchange: Exchange) => void {
  const { paths, components } = documentSpec.parse(document);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const compiled = new Map<object, ValidateFunction>();

  function expectFit(what: string, schema: object, value: unknown): void {
    const validate = compiled.get(schema) ?? ajv.compile({ components, allOf: [schema] });
    compiled.set(schema, validate);
    if (!validate(value)) throw new Error(`${what}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(value)}`);
  }

  function answerOf(responses: z.output<typeof operationSpec>["responses"], status: number) {
    const found = responses[status] ?? (status >= 400 ? responses["default"] : undefined);
    if (found === undefined || !("$ref" in found)) return found;
    return components.responses[found.$ref.split("/").at(-1) ?? ""];
  }

  return ({ method, path, sent, status, contentType, answer }) => {
    const what = `${method} ${path} ${status}`;
    const operation = operationsAt(paths, path)?.[method.toLowerCase()];
    const described = operation === undefined ? components.responses["404"] : answerOf(operation.responses, status);
    if (described === undefined) throw new Error(`${what}: the document has no such answer`);
    const [type = ""] = (contentType ?? "").split(";");
    const schema = described.content?.[type]?.schema;
    if (schema !== undefined) expectFit(`the answer of ${what}`, schema, answer);
    else if (answer !== undefined) throw new Error(`${what}: the document has no answer of the type ${type}`);
    const body = operation?.requestBody?.content["application/json"]?.schema;
    const isLeftOut = sent === undefined && operation?.requestBody?.required === false;
    if (status < 400 && body !== undefined && !isLeftOut) expectFit(`the body of ${what}`, body, sent);
  };
}

/** A fixed path wins over one with parameters. */
function operationsAt(paths: z.output<typeof documentSpec>["paths"], path: string) {
  const [asked = ""] = path.split("?");
  const fitting = Object.keys(paths).filter((known) => patternOf(known).test(asked));
  const [first] = fitting.sort((a, b) => a.split("{").length - b.split("{").length);
  return first === undefined ? undefined : paths[first];
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);

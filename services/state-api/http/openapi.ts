// The OpenAPI document, derived from the routes: its description of a request is the server's check.
import { z } from "zod";
import { TOKEN_ID, TOKEN_VALUE } from "../../../projections/catalog/tokens.ts";
import { problemSchema } from "../../../schemas/rest/http.ts";
import { idMember } from "../../../schemas/rest/pieces.ts";
import { PROBLEM_JSON } from "./problem.ts";
import { RETRIED, refusalsOf, sharedRefusals } from "./refusals.ts";
import type { AnswerSpec, Route } from "./route.ts";

type Json = Readonly<Record<string, unknown>>;

/** Collects the schemas that have a name. */
interface Components {
  /** `io` chooses the form: the value that a caller sends, or the value that the server answers. */
  schema(schema: z.ZodType, io: "input" | "output"): Json;
  readonly schemas: Record<string, Json>;
}

export function openApiOf(routes: readonly Route[]): Json {
  const components = createComponents();
  const problem = { [PROBLEM_JSON]: { schema: components.schema(problemSchema, "output") } };
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, components, problem) };
  }
  const responses = Object.entries(sharedRefusals).map(([status, description]) => [
    status,
    answerOf(Number(status), { description }, components, problem),
  ]);
  return {
    openapi: "3.1.0",
    info: {
      title: "tracklog: State Machine REST API",
      version: "1.0.0",
      description:
        "Live state, webhooks, events, snapshots, chronicle queries and replay. " +
        "Times in requests are ISO 8601 with an offset, those in answers are in UTC. " +
        "Members of bodies that are not described are ignored, unless the description says otherwise. " +
        "Every refusal is a problem document (RFC 9457) whose `type` is stable.",
    },
    servers: [{ url: "/" }],
    paths,
    components: {
      schemas: components.schemas,
      responses: Object.fromEntries(responses),
      securitySchemes: {
        tokenId: { type: "apiKey", in: "header", name: TOKEN_ID, description: "Id of a token of this installation" },
        tokenValue: { type: "apiKey", in: "header", name: TOKEN_VALUE, description: "Secret value of that token" },
      },
    },
  };
}

function operationOf(route: Route, components: Components, problem: Json): Json {
  const { path, params, summary, query, headers, body } = route;
  const parameters = [
    ...namesIn(path).map((name) => ({
      name,
      in: "path",
      required: true,
      description: params?.[name],
      schema: components.schema(idMember, "input"),
    })),
    ...parametersOf(query, "query", components),
    ...parametersOf(headers, "header", components),
  ];
  return {
    operationId: operationIdOf(route),
    summary,
    tags: [tagOf(path)],
    ...accessOf(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: bodyOf(body, components) }),
    responses: {
      ...Object.fromEntries(refusalsOf(route).map(referenceTo)),
      ...Object.fromEntries(
        Object.entries(route.answers).map(([status, answer]) => [
          status,
          answerOf(Number(status), answer, components, problem),
        ]),
      ),
      default: { description: OTHER_REFUSALS, content: problem },
    },
  };
}

const referenceTo = (status: number) => [status, { $ref: `#/components/responses/${status}` }] as const;

const OTHER_REFUSALS =
  "Another refusal: the request did not arrive in time (408), its headers are too large (431), " +
  "or the server made a mistake (500).";

const inHeaders = { tokenId: [], tokenValue: [] };

function accessOf({ scope, description = "" }: Route): Json {
  if (scope === "open") return { description, security: [] };
  const isInBody = scope === "read, or in the body";
  const needed = isInBody
    ? "The token needs the scope read; it is that of the headers, or else that of the body."
    : `The token needs the scope ${scope}.`;
  const security = isInBody ? [inHeaders, {}] : [inHeaders];
  return { description: `${description} ${needed}`.trim(), security };
}

/** A body whose schema also accepts `undefined` can be left out. */
const bodyOf = (body: z.ZodType, components: Components): Json => ({
  required: !body.safeParse(undefined).success,
  content: json(components.schema(body, "input")),
});

/** A refusal without a schema of its own is a problem. */
function answerOf(status: number, { description, schema }: AnswerSpec, components: Components, problem: Json): Json {
  if (schema !== undefined) return { description, content: json(components.schema(schema, "output")) };
  if (status < 400) return { description };
  return { description, ...(RETRIED.has(status) ? { headers: retryAfterHeader } : {}), content: problem };
}

const retryAfterHeader = {
  "retry-after": {
    description: "Seconds after which the request may be repeated; left out when that would not help",
    schema: { type: "integer", minimum: 1 },
  },
};

function parametersOf(schema: z.ZodObject | undefined, place: "query" | "header", components: Components): Json[] {
  if (schema === undefined) return [];
  return Object.entries(schema.shape).map(([name, value]) => {
    const isRequired = !z.safeParse(value, undefined).success;
    const { description, ...described } = components.schema(value, "input");
    return { name, in: place, required: isRequired, description, schema: described };
  });
}

/** Schemas with an id become components, and every use refers to them. */
function createComponents(): Components {
  const schemas: Record<string, Json> = {};
  return {
    schemas,
    schema(schema, io) {
      // The schema is wrapped in an object, because zod refers only to nested schemas by their ids.
      const { $defs = {}, properties = {} } = referToComponents(z.toJSONSchema(z.object({ schema }), { io }));
      for (const [name, definition] of Object.entries($defs)) {
        const known = schemas[name];
        if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition)) {
          throw new Error(`two schemas are called ${name}`);
        }
        schemas[name] = definition;
      }
      return properties["schema"] ?? {};
    },
  };
}

const partsOf = z.object({
  $defs: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});

const referToComponents = (schema: object) =>
  partsOf.parse(JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')));

const json = (schema: Json) => ({ "application/json": { schema } });

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

/** Turns `GET /api/tracks/{track_id}` into getTracksByTrackId. */
function operationIdOf({ method, path }: Route): string {
  const words = path.replaceAll("{", "by_").split(/[^a-z0-9]+/i);
  return [method.toLowerCase(), ...words.filter((word) => word !== "api").map(capital)].join("");
}

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** Returns the part of the interface: `/api/tracks/...` is tracks. */
const tagOf = (path: string): string => /^\/api\/([^/]+)/.exec(path)?.[1] ?? "service";

// What a GraphQL request over HTTP says: body and headers (GraphQL over HTTP, draft of the GraphQL foundation).

import type { FastifyRequest } from "fastify";
import { badInput } from "../../../schemas/errors.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import type { Operation } from "../graphql/engine.ts";
import { POSITION_HEADER, parsePosition } from "../read/position.ts";
import { isLarge } from "./parse-json.ts";

const GRAPHQL_JSON = "application/graphql-response+json";

/** Throws BAD_USER_INPUT. */
export function readOperation(body: unknown): Operation {
  if (!isObject(body)) throw badInput("the body is a JSON object with the member query");
  const { query, variables, operationName } = body;
  if (typeof query !== "string" || query === "") throw badInput("query is a GraphQL document", ["query"]);
  if (variables != null && !isObject(variables)) throw badInput("variables is an object", ["variables"]);
  if (operationName != null && typeof operationName !== "string") {
    throw badInput("operationName is a string", ["operationName"]);
  }
  return {
    source: query,
    variables: variables ?? {},
    operationName: operationName ?? undefined,
    isLarge: isLarge(body),
  };
}

/** Throws BAD_USER_INPUT. */
export function readMinPosition({ headers }: FastifyRequest): readonly LogPosition[] {
  const text = headers[POSITION_HEADER];
  return typeof text === "string" && text !== "" ? parsePosition(text) : [];
}

/** Clients that know the newer media type get the newer meaning of the status with it. */
export const isGraphqlJson = ({ headers: { accept } }: FastifyRequest): boolean =>
  accept?.includes(GRAPHQL_JSON) ?? false;

export const mediaType = (request: FastifyRequest): string =>
  `${isGraphqlJson(request) ? GRAPHQL_JSON : "application/json"}; charset=utf-8`;

export const wantsEventStream = ({ headers: { accept } }: FastifyRequest): boolean =>
  accept?.includes("text/event-stream") ?? false;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

// What the headers of a GraphQL request over HTTP ask (GraphQL over HTTP, draft of the GraphQL foundation).
import type { FastifyRequest } from "fastify";

const GRAPHQL_JSON = "application/graphql-response+json";

/** Clients that know the newer media type get the newer meaning of the status with it. */
export const isGraphqlJson = ({ headers: { accept } }: FastifyRequest): boolean =>
  accept?.includes(GRAPHQL_JSON) ?? false;

export const mediaType = (request: FastifyRequest): string =>
  `${isGraphqlJson(request) ? GRAPHQL_JSON : "application/json"}; charset=utf-8`;

export const wantsEventStream = ({ headers: { accept } }: FastifyRequest): boolean =>
  accept?.includes("text/event-stream") ?? false;

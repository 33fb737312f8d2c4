// One endpoint of the REST interface: its schemas, its answers, and its handler. The server, the OpenAPI document and
// the tests are made from the same routes.
import type { IncomingHttpHeaders } from "node:http";
import type { z } from "zod";
import type { Principal } from "../../../projections/catalog/tokens.ts";
import type { Scope } from "../../../schemas/events.ts";

export type HttpMethod = "GET" | "POST" | "PATCH" | "DELETE";

export interface RouteRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
  readonly principal: Principal;
  /** Creates, on first use, a signal that aborts when the caller has gone. */
  gone(): AbortSignal;
}

/** Credentials in a request, unchecked. */
export interface ShownToken {
  readonly id: unknown;
  readonly value: unknown;
}

export interface Reply {
  readonly status: number;
  /** Absent when the answer has no body. Text and bytes are sent unchanged, an object as JSON. */
  readonly body?: object | string | Uint8Array;
  /** JSON is the default type. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface AnswerSpec {
  /** The answer, or every reason for the refusal. */
  readonly description: string;
  /** Absent for an answer without a body, or with a problem document for a status from 400 on. */
  readonly schema?: z.ZodType;
}

export interface Route {
  readonly method: HttpMethod;
  /** Path in the form of OpenAPI: `/api/tracks/{track_id}`. Each parameter is an id. */
  readonly path: string;
  /** Descriptions of the parameters in the path, by name. */
  readonly params?: Readonly<Record<string, string>>;
  /** One line for the document. */
  readonly summary: string;
  /** Sentences for the document: the facts that are neither in the summary nor in the schemas. */
  readonly description?: string;
  /**
   * "open" needs no token. With "read, or in the body", the token is in the headers, or else in the body, at
   * `tokenInBody`.
   */
  readonly scope: Scope | "open" | "read, or in the body";
  /** Called before the body is checked, so with any body. */
  readonly tokenInBody?: (body: unknown) => ShownToken;
  readonly query?: z.ZodObject;
  /** Headers that the document names; only read, never required by the server. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /**
   * Answers by status. The document adds the refusals that endpoints share: 400, 401, 403, 413, 415, 429 and 503.
   */
  readonly answers: Readonly<Record<number, AnswerSpec>>;
  handle(asked: RouteRequest<Readonly<Record<string, string>>, never, never>): Promise<Reply> | Reply;
}

interface Typed<Query extends z.ZodObject, Body extends z.ZodType> extends Omit<Route, "query" | "body" | "handle"> {
  readonly query?: Query;
  readonly body?: Body;
  handle(
    asked: RouteRequest<Readonly<Record<string, string>>, z.output<Query>, z.output<Body>>,
  ): Promise<Reply> | Reply;
}

/** Creates a route. Its handler gets the query and the body as their schemas parsed them. */
export const route = <Query extends z.ZodObject, Body extends z.ZodType>(spec: Typed<Query, Body>): Route => spec;

// One endpoint of the REST interface: what it validates with, what it answers, and what it does. The server, the OpenAPI
// document and the tests are made from the same routes.
import type { IncomingHttpHeaders } from "node:http";
import type { z } from "zod";
import type { Principal } from "../../../projections/catalog/tokens.ts";
import type { Scope } from "../../../schemas/events.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

export interface Asked<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
  readonly principal: Principal;
  /** Made when it is asked for: aborted when the caller is gone. */
  gone(): AbortSignal;
}

/** Nothing of it is checked yet. */
export interface ShownToken {
  readonly id: unknown;
  readonly value: unknown;
}

export interface Reply {
  readonly status: number;
  /** Left out: the answer has no body. Text and bytes are sent as they are, an object as JSON. */
  readonly body?: object | string | Uint8Array;
  /** JSON unless they say otherwise. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface AnswerSpec {
  readonly description: string;
  /** Left out: no body, or for a status from 400 on a problem document. */
  readonly schema?: z.ZodType;
}

export interface Route {
  readonly method: Method;
  /** As in OpenAPI: `/api/tracks/{track_id}`. Each parameter is an id. */
  readonly path: string;
  /** One line for the document. */
  readonly summary: string;
  /** "open": needs no token. "read, or in the body": the headers have the token, or else the body, at `tokenInBody`. */
  readonly scope: Scope | "open" | "read, or in the body";
  /** Asked before the body is checked, so of any body. */
  readonly tokenInBody?: (body: unknown) => ShownToken;
  readonly query?: z.ZodObject;
  /** Headers that the document names; only read, never required by the server. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** By status. The document adds the refusals that endpoints share: 400, 401, 403, 404, 413, 415, 429 and 503. */
  readonly answers: Readonly<Record<number, AnswerSpec>>;
  handle(asked: Asked<Readonly<Record<string, string>>, never, never>): Promise<Reply> | Reply;
}

interface Typed<Query extends z.ZodObject, Body extends z.ZodType> extends Omit<Route, "query" | "body" | "handle"> {
  readonly query?: Query;
  readonly body?: Body;
  handle(asked: Asked<Readonly<Record<string, string>>, z.output<Query>, z.output<Body>>): Promise<Reply> | Reply;
}

/** A row for the list of routes, whose handler gets what its schemas let through. */
export const route = <Query extends z.ZodObject, Body extends z.ZodType>(spec: Typed<Query, Body>): Route => spec;

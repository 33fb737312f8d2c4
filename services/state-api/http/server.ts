// Serves the routes over HTTP, with the parts that every endpoint shares: the token, the checks of the input, and
// problem documents for all refusals.
import { METHODS } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import { z } from "zod";
import type { Authenticate } from "../../../projections/catalog/tokens.ts";
import { idMember } from "../../../schemas/rest/pieces.ts";
import type { Log } from "../../common/log.ts";
import { createHttpApp, createHttpPart, type HttpServer } from "../../common/process/http-app.ts";
import { type Admit, createAdmission } from "./admit.ts";
import { readBodies } from "./bodies.ts";
import {
  ANSWER_TAKEN_WITHIN_MS,
  closeUnlessRead,
  httpLimits,
  MAX_CONNECTIONS,
  refuseUnreadable,
} from "./http-limits.ts";
import { allowOrigins } from "./origins.ts";
import { invalid, PROBLEM_JSON, Problem, problemOf } from "./problem.ts";
import type { HttpMethod, Reply, Route } from "./route.ts";
import type { RestLimits } from "./token-limits.ts";

export interface StateServerOptions {
  readonly host: string;
  readonly port: number;
  readonly bodyLimitBytes: number;
  /** Requests in progress at the same time; further callers get a refusal that asks them to retry. */
  readonly maxRequests: number;
  /** Origins whose pages may call it; by default none. */
  readonly origins?: readonly string[];
  /** Milliseconds after which a client that has not taken its whole answer is cut off. */
  readonly answerTakenWithinMs?: number;
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  /** Absent when tokens have no limits. */
  readonly tokenLimits?: RestLimits | undefined;
  readonly log: Log;
}

interface Answering {
  readonly admit: Admit;
  readonly log: Log;
  readonly takenWithinMs: number;
}

/** Parameters up to this length reach the check of ids, which refuses those that are too long. */
const MAX_PARAM_LENGTH = 16_384;

export function createStateServer(options: StateServerOptions): HttpServer {
  const { host, port, log, answerTakenWithinMs = ANSWER_TAKEN_WITHIN_MS } = options;
  const answering = { admit: createAdmission(options), log, takenWithinMs: answerTakenWithinMs };
  const app = createHttpApp(log, {
    ...httpLimits,
    clientErrorHandler: refuseUnreadable,
    bodyLimit: options.bodyLimitBytes,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: (error, _request, reply) => refuse(reply, error, answering),
  });
  app.server.maxConnections = MAX_CONNECTIONS;
  allowOrigins(app, options.origins ?? []);
  knowAllMethods(app);
  app.decorateRequest("caller", null);
  readBodies(app, answering.admit.maxBytes);
  app.setErrorHandler((error, _request, reply) => refuse(reply, error, answering));
  app.setNotFoundHandler((_request, reply) => refuse(reply, new Problem("not-found", "no such path"), answering));
  for (const [path, ofPath] of byPath(options.routes)) serve(app, path, ofPath, answering);
  return createHttpPart(app, { host, port });
}

/**
 * Adds all methods, so that a path can refuse those that it does not have. A proxy's CONNECT never becomes a request.
 */
function knowAllMethods(app: FastifyInstance): void {
  const known = new Set([...app.supportedMethods, "CONNECT"]);
  for (const method of METHODS) if (!known.has(method)) app.addHttpMethod(method);
}

/**
 * Serves every method of a path. Otherwise a fixed path's missing method would match a path that has an id in that
 * place.
 */
function serve(app: FastifyInstance, path: string, routes: readonly Route[], answering: Answering): void {
  const { admit } = answering;
  const url = path.replaceAll(/\{(\w+)\}/g, ":$1");
  const methods: HttpMethod[] = routes.map(({ method }) => method);
  for (const each of routes) {
    const method = each.method === "GET" ? ["GET", "HEAD"] : each.method;
    const onRequest: onRequestHookHandler = (request, reply, done) => {
      admit.enter(request, reply, each);
      done();
    };
    app.route({ method, url, onRequest, handler: (request, reply) => handle(each, request, reply, answering) });
  }
  const served = new Set<string>(methods.includes("GET") ? [...methods, "HEAD"] : methods);
  const others = app.supportedMethods.filter((method) => !served.has(method));
  const onRequest = async () => {
    const detail = `${path} has ${methods.join(", ")}`;
    throw new Problem("method-not-allowed", detail, { headers: { allow: [...served].join(", ") } });
  };
  app.route({ method: others, url, onRequest, handler: async () => undefined });
}

async function handle(route: Route, request: FastifyRequest, reply: FastifyReply, answering: Answering) {
  const principal = answering.admit.principal(request, route);
  const params = check(ids, request.params, "path");
  const query = route.query === undefined ? {} : check(route.query, request.query, "query");
  const body = route.body === undefined ? undefined : check(route.body, request.body);
  return send(
    reply,
    await route.handle({
      // The route's schemas produce exactly the input of its handler.
      params,
      query: query as never,
      body: body as never,
      headers: request.headers,
      principal,
      // The signal is created only on demand, because it costs more than most answers. It is a method, because a getter
      // would keep the request in memory: V8 allocates the getters of an object as old, and frees the objects that they
      // refer to with the old objects only.
      gone: () => goneSignal(reply),
    }),
    answering,
  );
}

function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (raw.closed) gone.abort();
  else raw.once("close", () => gone.abort());
  return gone.signal;
}

function check<T extends z.ZodType>(schema: T, value: unknown, place?: "query" | "path"): z.output<T> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalid(parsed.error, place);
  return parsed.data;
}

const ids = z.record(z.string(), idMember);

function send(reply: FastifyReply, { status, body, headers = {} }: Reply, { takenWithinMs }: Answering): FastifyReply {
  reply.code(status);
  if (body === undefined) reply.headers(headers).send();
  else {
    reply.type("application/json; charset=utf-8").headers(headers);
    reply.send(typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body));
  }
  closeUnlessRead(reply.raw, takenWithinMs);
  return reply;
}

function refuse(reply: FastifyReply, error: unknown, { log, takenWithinMs }: Answering): FastifyReply {
  const problem = problemOf(error);
  if (problem.status === 500) log.error({ err: problem.cause }, "request failed");
  // fastify closes the connection on a body that is too large. A client that is still writing the body may then never
  // read this answer.
  if (problem.status === 413) reply.removeHeader("connection");
  const text = JSON.stringify(problem.document);
  reply.code(problem.status).headers(problem.headers).type(PROBLEM_JSON).send(text);
  closeUnlessRead(reply.raw, takenWithinMs);
  return reply;
}

function byPath(routes: readonly Route[]): Map<string, Route[]> {
  const found = new Map<string, Route[]>();
  for (const each of routes) found.set(each.path, [...(found.get(each.path) ?? []), each]);
  return found;
}

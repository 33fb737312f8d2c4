// Serves the routes over HTTP. What every endpoint has in common is here: the token, the checks of what came in, and
// problem documents for everything that is refused.
import { METHODS } from "node:http";
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from "fastify";
import { z } from "zod";
import type { Authenticate } from "../../../projections/catalog/tokens.ts";
import { id } from "../../../schemas/rest/pieces.ts";
import type { Part } from "../../common/lifecycle.ts";
import type { Log } from "../../common/log.ts";
import { type Admit, createAdmission } from "./admit.ts";
import { readBodies } from "./bodies.ts";
import {
  ANSWER_TAKEN_WITHIN_MS,
  closeUnlessTaken,
  httpLimits,
  MAX_CONNECTIONS,
  refuseUnreadable,
} from "./http-limits.ts";
import { invalid, PROBLEM_JSON, Problem, problemOf } from "./problem.ts";
import type { Method, Reply, Route } from "./route.ts";

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly bodyLimitBytes: number;
  /** Requests in progress at the same time; beyond them callers are asked to come again. */
  readonly maxRequests: number;
  /** A client that has not taken its whole answer by then is cut off. */
  readonly answerTakenWithinMs?: number;
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  readonly log: Log;
}

export interface StateServer extends Part {
  readonly app: FastifyInstance;
  /** `http://host:port`, once started. */
  url(): string;
}

interface Answering {
  readonly admit: Admit;
  readonly log: Log;
  readonly takenWithinMs: number;
}

/** Longer ones are cut by nobody: they reach the check, which refuses them. */
const MAX_PARAM_LENGTH = 16_384;
const ANY_HOST = /\/\/(0\.0\.0\.0|\[::\]):/;

export function createServer(options: ServerOptions): StateServer {
  const { host, port, log, answerTakenWithinMs = ANSWER_TAKEN_WITHIN_MS } = options;
  const answering = { admit: createAdmission(options), log, takenWithinMs: answerTakenWithinMs };
  const loggerInstance: FastifyBaseLogger = log;
  const app: FastifyInstance = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    ...httpLimits,
    clientErrorHandler: refuseUnreadable,
    bodyLimit: options.bodyLimitBytes,
    // While the server stops, it serves a client on an open connection once more, and then closes the connection.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: (error, _request, reply) => refuse(reply, error, answering),
  });
  app.server.maxConnections = MAX_CONNECTIONS;
  knowAllMethods(app);
  readBodies(app, answering.admit.maxBytes);
  app.setErrorHandler((error, _request, reply) => refuse(reply, error, answering));
  app.setNotFoundHandler((_request, reply) => refuse(reply, new Problem("not-found", "no such path"), answering));
  for (const [path, ofPath] of byPath(options.routes)) serve(app, path, ofPath, answering);
  return {
    name: "http",
    app,
    url: () => app.listeningOrigin.replace(ANY_HOST, "//127.0.0.1:"),
    start: async () => void (await app.listen({ host, port })),
    stop: () => app.close(),
  };
}

/** So that a path refuses those that it does not have. A proxy's CONNECT never becomes a request. */
function knowAllMethods(app: FastifyInstance): void {
  const known = new Set([...app.supportedMethods, "CONNECT"]);
  for (const method of METHODS) if (!known.has(method)) app.addHttpMethod(method);
}

/** Every method of a path is served, so that a fixed path never gives way to one with an id. */
function serve(app: FastifyInstance, path: string, routes: readonly Route[], answering: Answering): void {
  const { admit } = answering;
  const url = path.replaceAll(/\{(\w+)\}/g, ":$1");
  const methods: Method[] = routes.map(({ method }) => method);
  for (const each of routes) {
    const method = each.method === "GET" ? ["GET", "HEAD"] : each.method;
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => admit.enter(request, reply, each);
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
      // The route's schemas let through exactly what its handler takes.
      ...{ params, query: query as never, body: body as never, headers: request.headers, principal },
      // Its abortion costs more than most answers. A getter would keep the request in memory: V8 makes the getters of an
      // object old, and frees what they refer to with the old objects only.
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

const ids = z.record(z.string(), id);

function send(reply: FastifyReply, { status, body, headers = {} }: Reply, { takenWithinMs }: Answering): FastifyReply {
  reply.code(status);
  if (body === undefined) reply.headers(headers).send();
  else {
    reply.type("application/json; charset=utf-8").headers(headers);
    reply.send(typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body));
  }
  closeUnlessTaken(reply.raw, takenWithinMs);
  return reply;
}

function refuse(reply: FastifyReply, error: unknown, { log, takenWithinMs }: Answering): FastifyReply {
  const problem = problemOf(error);
  if (problem.status === 500) log.error({ err: problem.cause }, "request failed");
  // fastify closes the connection on a body too large, and a client that still writes it may then never read this.
  if (problem.status === 413) reply.removeHeader("connection");
  const text = JSON.stringify(problem.document);
  reply.code(problem.status).headers(problem.headers).type(PROBLEM_JSON).send(text);
  closeUnlessTaken(reply.raw, takenWithinMs);
  return reply;
}

function byPath(routes: readonly Route[]): Map<string, Route[]> {
  const found = new Map<string, Route[]>();
  for (const each of routes) found.set(each.path, [...(found.get(each.path) ?? []), each]);
  return found;
}

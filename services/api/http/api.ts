// The HTTP face: /graphql for operations, /health and /ready for whoever runs the process.

import { pipeline, type Readable, Transform } from "node:stream";
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
  type preParsingHookHandler,
  type RequestPayload,
} from "fastify";
import type { GraphQLSchema } from "graphql";
import { type Authenticate, createAuthenticate } from "../../../projections/catalog/tokens.ts";
import { AppError, badInput, unavailable } from "../../../schemas/errors.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import type { Part } from "../../common/lifecycle.ts";
import { isLoopback } from "../../common/loopback.ts";
import type { ApiConfig } from "../config.ts";
import { queries } from "../fields/queries/index.ts";
import { types } from "../fields/types/index.ts";
import type { AdmitOptions } from "../graphql/admit.ts";
import type { Principal } from "../graphql/context.ts";
import { type ContextDeps, type CreateContext, createContextFactory } from "../graphql/create-context.ts";
import { createEngine, type Outcome } from "../graphql/engine.ts";
import { formatError, refusalOf, statusOf } from "../graphql/errors.ts";
import { createMutationSchema, createSchema, type ResolverMap } from "../graphql/schema.ts";
import { formatPosition } from "../read/position.ts";
import { everybody, TOKEN_ID, TOKEN_VALUE } from "./auth.ts";
import { serveGraphiql } from "./graphiql.ts";
import { createHttpServer } from "./http-server.ts";
import { createIntake } from "./intake.ts";
import { parseJson } from "./parse-json.ts";
import { isGraphqlJson, mediaType, readMinPosition, readOperation, wantsEventStream } from "./request.ts";

export interface ApiOptions extends Omit<ContextDeps, "maxFirst" | "filterLimits"> {
  readonly config: ApiConfig;
  /** Mutation, Subscription and whatever they bring. */
  readonly resolvers: ResolverMap;
  readonly isReady: () => boolean;
  /** Puts further transports on the same server before it listens. */
  readonly mount?: (api: ApiParts) => void | Promise<void>;
}

/** What a transport needs to serve operations like the HTTP face does. */
export interface ApiParts {
  readonly app: FastifyInstance;
  readonly schema: GraphQLSchema;
  readonly authenticate: Authenticate;
  readonly createContext: CreateContext;
  readonly admission: AdmitOptions;
  /** Requests for /graphql that accept text/event-stream go there; they are authenticated by then. */
  serveEventStream(handler: EventStreamHandler): void;
}

type EventStreamHandler = (request: FastifyRequest, reply: FastifyReply, principal: Principal) => unknown;

const GRAPHQL_PATH = "/graphql";
const RETRY_AFTER_MS = 1_000;

export interface Api extends Part {
  readonly app: FastifyInstance;
  /** `http://host:port`, once started. */
  url(): string;
}

export async function createApi(options: ApiOptions): Promise<Api> {
  const { config, log } = options;
  const loggerInstance: FastifyBaseLogger = log;
  const intake = createIntake(config.API_INTAKE_BYTES);
  const app: FastifyInstance = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.API_BODY_LIMIT_BYTES,
    // Who comes on an open connection while we leave is served once more, and told to open another one.
    return503OnClosing: false,
    serverFactory: (listener) => createHttpServer(listener, intake),
  });
  app.addContentTypeParser("application/json", { parseAs: "string" }, parseBody);
  // Forms and plain text are what a foreign page may send without asking first: no parser, no request.
  app.removeContentTypeParser("text/plain");
  app.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply, options));
  const resolvers = { Query: queries, ...types, ...options.resolvers };
  const schema = createSchema(resolvers);
  const mutationSchema = createMutationSchema(schema, resolvers);
  const authenticate = config.API_AUTH ? createAuthenticate(options.catalog) : () => everybody;
  const admission = admissionOf(config);
  const { catalog, zones, history, gate, writer } = options;
  const { filterLimits } = admission;
  const createContext = createContextFactory({
    catalog,
    zones,
    history,
    gate,
    writer,
    log,
    maxFirst: config.API_MAX_FIRST,
    filterLimits,
  });
  const engine = await createEngine(app, { schema, mutationSchema, log, ...admission });
  let eventStream: EventStreamHandler | undefined;

  /** Before the body is read: nobody without a token makes us parse anything. */
  async function onRequest(request: FastifyRequest): Promise<void> {
    principalOf(request);
  }

  function principalOf({ headers }: FastifyRequest): Principal {
    const principal = authenticate({ id: headers[TOKEN_ID], value: headers[TOKEN_VALUE] });
    if (principal instanceof AppError) throw principal;
    return principal;
  }

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    intake.received(request.raw);
    // Checked again: the token may have been revoked while a slow body arrived.
    const principal = principalOf(request);
    if (eventStream !== undefined && wantsEventStream(request)) return eventStream(request, reply, principal);
    if (request.method !== "POST") return reply.code(405).header("allow", "POST").send();
    const context = createContext(principal, readMinPosition(request), goneSignal(reply));
    const outcome = await engine.run(readOperation(request.body), context);
    return send(request, reply, outcome, context.positions);
  }

  /** What is announced has its room; what is not takes it as it comes. */
  const preParsing: preParsingHookHandler = ({ raw, headers }, _reply, body, done) =>
    done(null, headers["transfer-encoding"] === undefined ? body : counted(body, (bytes) => intake.grown(raw, bytes)));

  app.route({ method: ["GET", "POST"], url: GRAPHQL_PATH, onRequest, preParsing, handler: handle });
  app.get("/health", async () => ({ status: "ok" }));
  app.get("/ready", async (_request, reply) => {
    const ready = options.isReady();
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "starting" });
  });
  if (config.API_GRAPHIQL) {
    serveGraphiql(app, { needsToken: config.API_AUTH, takesLink: isLoopback(config.API_HOST) });
  }
  const serveEventStream = (handler: EventStreamHandler) => {
    eventStream = handler;
  };
  await options.mount?.({ app, schema, authenticate, createContext, admission, serveEventStream });
  return toPart(app, config);
}

/** Passes on what comes as long as there is room for it. */
function counted(body: RequestPayload, hasRoom: (bytes: number) => boolean): Readable {
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (hasRoom(bytes)) done(null, chunk);
      else done(Object.assign(unavailable("too much is coming in at once", RETRY_AFTER_MS), { statusCode: 503 }));
    },
  });
  // Whoever reads it sees the error of either.
  return pipeline(body, counting, () => undefined);
}

/** Aborted when the client is gone before it has its answer. Made when it is asked for: most operations never do. */
function goneSignal({ raw }: FastifyReply): () => AbortSignal {
  let gone: AbortController | undefined;
  return () => {
    if (gone !== undefined) return gone.signal;
    const controller = new AbortController();
    gone = controller;
    if (raw.destroyed) controller.abort();
    else {
      raw.once("close", () => {
        if (!raw.writableEnded) controller.abort();
      });
    }
    return controller.signal;
  };
}

/** Members named __proto__ or constructor stay members like any other: inputs are read by the names the schema knows. */
function parseBody(_request: FastifyRequest, body: string | Buffer, done: BodyParsed): void {
  const fail = (error: unknown) =>
    done(error instanceof SyntaxError ? badInput("the body is not JSON") : toError(error));
  try {
    const parsed = parseJson(body.toString());
    if (parsed instanceof Promise) parsed.then((value) => done(null, value), fail);
    else done(null, parsed);
  } catch (error) {
    fail(error);
  }
}

type BodyParsed = (error: Error | null, body?: unknown) => void;

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

function toPart(app: FastifyInstance, config: ApiConfig): Api {
  return {
    name: "http",
    app,
    url: () => app.listeningOrigin,
    start: async () => {
      await app.listen({ host: config.API_HOST, port: config.API_PORT });
    },
    stop: () => app.close(),
  };
}

function admissionOf(config: ApiConfig): AdmitOptions {
  const { API_MAX_DEPTH, API_MAX_ALIASES, API_MAX_ROOT_FIELDS, API_MAX_FIELDS, API_MAX_COST } = config;
  return {
    maxCost: API_MAX_COST,
    filterLimits: { maxValues: config.API_MAX_FILTER_VALUES, maxBranches: config.API_MAX_FILTER_BRANCHES },
    limits: {
      maxBytes: config.API_MAX_DOCUMENT_BYTES,
      maxTokens: config.API_MAX_DOCUMENT_TOKENS,
      maxDepth: API_MAX_DEPTH,
      maxAliases: API_MAX_ALIASES,
      maxRootFields: API_MAX_ROOT_FIELDS,
      maxFields: API_MAX_FIELDS,
    },
  };
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { executed, data, errors }: Outcome,
  positions: readonly LogPosition[],
): FastifyReply {
  const position = formatPosition(positions);
  const body = {
    ...(errors === undefined ? {} : { errors }),
    ...(executed ? { data } : {}),
    ...(position === undefined ? {} : { extensions: { position } }),
  };
  // With application/json a well-formed request is answered with 200, whatever became of it.
  const status = executed || !isGraphqlJson(request) ? 200 : 400;
  return reply.code(status).header("content-type", mediaType(request)).send(JSON.stringify(body));
}

/** Requests that never became an operation: no token, too large, not JSON, not allowed. */
function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply, { log }: ApiOptions): FastifyReply {
  const httpStatus = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : undefined;
  const refused = httpStatus !== undefined && httpStatus >= 400 && httpStatus < 500 && error instanceof Error;
  const shown = refused ? new AppError("BAD_USER_INPUT", error.message) : error;
  const { code, retryAfterMs } = refusalOf(shown);
  const status = refused ? httpStatus : statusOf[code];
  const body = JSON.stringify({ errors: [formatError(shown, log)] });
  if (retryAfterMs !== undefined) reply.header("retry-after", Math.ceil(retryAfterMs / 1_000));
  // fastify closes the connection on a body too large, and a client that still writes it may then never read the answer.
  // Open, the connection is drained by Node, and the time a request may take to arrive bounds that.
  if (status === 413) reply.removeHeader("connection");
  return reply.code(status).header("content-type", mediaType(request)).send(body);
}

// The HTTP server: /graphql for operations, /health and /ready for load balancers.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
  type onRequestHookHandler,
  type preParsingHookHandler,
} from "fastify";
import { type Authenticate, TOKEN_ID, TOKEN_VALUE } from "../../../projections/catalog/tokens.ts";
import { AppError } from "../../../schemas/errors.ts";
import type { Part } from "../../common/lifecycle.ts";
import type { Log } from "../../common/log.ts";
import { isLoopback } from "../../common/loopback.ts";
import type { Media } from "../../common/media/media.ts";
import type { ApiConfig } from "../config.ts";
import type { Principal } from "../graphql/context.ts";
import { sendRefusal } from "./answer.ts";
import { serveGraphiql } from "./graphiql.ts";
import { createHttpServer } from "./http-server.ts";
import { counted, type Intake } from "./intake.ts";
import { serveMedia } from "./media.ts";
import { parseBody } from "./parse-json.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set before the body is read; null = the request is not for an operation. */
    principal: Principal | null;
  }
}

/** Answers an authenticated request for an operation. Throws a refusal as long as nothing was answered. */
export type Handle = (request: FastifyRequest, reply: FastifyReply, principal: Principal) => unknown;

/** What serves the operations. */
export interface Transports {
  readonly post: Handle;
  readonly eventStream: Handle;
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Called before the server waits for its connections to end by themselves. */
  readonly shutDown: () => Promise<void>;
}

export interface ServerOptions {
  readonly config: ApiConfig;
  readonly log: Log;
  readonly authenticate: Authenticate;
  readonly intake: Intake;
  readonly transports: Transports;
  readonly media: Media;
  readonly now: () => number;
  readonly isReady: () => boolean;
}

export interface Api extends Part {
  readonly app: FastifyInstance;
  /** `http://host:port`, once started. */
  url(): string;
}

const GRAPHQL_PATH = "/graphql";
/** A server on all interfaces; a client on this machine reaches it on loopback. */
const ANY_HOST = /\/\/(0\.0\.0\.0|\[::\]):/;

export function createServer(options: ServerOptions): Api {
  const { config, transports, media, intake, now } = options;
  const app = createApp(options);
  serveOperations(app, options);
  serveProbes(app, options.isReady);
  const { store, links } = media;
  if (links !== undefined) serveMedia(app, { store, links, intake, now });
  if (config.API_GRAPHIQL) {
    serveGraphiql(app, { needsToken: config.API_AUTH, takesLink: isLoopback(config.API_HOST) });
  }
  app.server.on("upgrade", transports.upgrade);
  app.addHook("preClose", transports.shutDown);
  return {
    name: "http",
    app,
    url: () => app.listeningOrigin.replace(ANY_HOST, "//127.0.0.1:"),
    start: async () => {
      await media.start();
      await app.listen({ host: config.API_HOST, port: config.API_PORT });
    },
    stop: async () => {
      await app.close();
      media.stop();
    },
  };
}

function createApp({ config, log, intake }: ServerOptions): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log;
  const app: FastifyInstance = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // No line of the log speaks of a single request.
    childLoggerFactory: (logger) => logger,
    bodyLimit: config.API_BODY_LIMIT_BYTES,
    // While the server stops, it serves a client on an open connection once more, and then closes the connection.
    return503OnClosing: false,
    serverFactory: (listener) => createHttpServer(listener, intake),
  });
  app.addContentTypeParser("application/json", { parseAs: "string" }, parseBody);
  // A foreign page may send forms and plain text without a preflight, so the server has no parser for them.
  app.removeContentTypeParser("text/plain");
  app.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply, log));
  return app;
}

function serveOperations(app: FastifyInstance, { authenticate, intake, transports }: ServerOptions): void {
  app.decorateRequest("principal", null);

  /** Runs before the body is read: a client without a token cannot make the server parse anything. */
  const onRequest: onRequestHookHandler = (request, _reply, done) => {
    const principal = principalOf(request);
    if (principal instanceof AppError) return done(principal);
    request.principal = principal;
    done();
  };

  const principalOf = ({ headers }: FastifyRequest): Principal | AppError =>
    authenticate({ id: headers[TOKEN_ID], value: headers[TOKEN_VALUE] });

  /** Not an async function, so that a request makes no more promises than its transport does. */
  function handler(request: FastifyRequest, reply: FastifyReply): unknown {
    intake.received(request.raw);
    // Checked again: the token may have been revoked while a slow body arrived.
    const known = request.principal;
    const principal = known !== null && authenticate.isCurrent(known) ? known : principalOf(request);
    if (principal instanceof AppError) throw principal;
    if (wantsEventStream(request)) return transports.eventStream(request, reply, principal);
    if (request.method === "POST") return transports.post(request, reply, principal);
    reply.code(405).header("allow", "POST").send();
    return undefined;
  }

  /** A body of announced length already has its room; another takes room as it arrives. */
  const preParsing: preParsingHookHandler = ({ raw, headers }, _reply, body, done) =>
    done(null, headers["transfer-encoding"] === undefined ? body : counted(body, (bytes) => intake.grown(raw, bytes)));

  app.route({ method: ["GET", "POST"], url: GRAPHQL_PATH, onRequest, preParsing, handler });
}

const wantsEventStream = ({ headers: { accept } }: FastifyRequest): boolean =>
  accept?.includes("text/event-stream") ?? false;

function serveProbes(app: FastifyInstance, isReady: () => boolean): void {
  app.get("/health", async () => ({ status: "ok" }));
  app.get("/ready", async (_request, reply) => {
    const ready = isReady();
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "starting" });
  });
}

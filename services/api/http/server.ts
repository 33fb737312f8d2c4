// The HTTP server: /graphql for operations, and the probes of load balancers.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preParsingHookHandler,
} from "fastify";
import { type Authenticate, TOKEN_ID, TOKEN_VALUE } from "../../../projections/catalog/tokens.ts";
import { AppError } from "../../../schemas/errors.ts";
import type { Log } from "../../common/log.ts";
import { isLoopback } from "../../common/loopback.ts";
import type { Media } from "../../common/media/media.ts";
import { createHttpApp, createHttpPart, type HttpServer } from "../../common/process/http-app.ts";
import { isProbePassed, PROBES } from "../../common/process/probes.ts";
import type { Principal } from "../graphql/context.ts";
import type { Execute } from "../graphql/execute.ts";
import type { TokenLimits } from "../limits/token-limits.ts";
import { sendRefusal } from "./answer.ts";
import { serveConsole } from "./console/serve.ts";
import { serveGraphiql } from "./graphiql.ts";
import { createHttpServer, type Identify } from "./http-server.ts";
import { type BodyIntake, counted } from "./intake.ts";
import { serveMedia } from "./media.ts";
import { createParseBody } from "./parse-json.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set before the body is read; null when the request is not for an operation. */
    principal: Principal | null;
  }
}

/** Answers an authenticated request for an operation. May throw a refusal until it has answered. */
export type Handle = (request: FastifyRequest, reply: FastifyReply, principal: Principal) => unknown;

/** Handlers of the operations. */
export interface Transports {
  readonly post: Handle;
  readonly eventStream: Handle;
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Called before the server waits for its connections to end by themselves. */
  readonly shutDown: () => Promise<void>;
}

/** The settings of the API that concern its HTTP server. */
export interface ServerSettings {
  readonly API_HOST: string;
  readonly API_PORT: number;
  readonly API_BODY_LIMIT_BYTES: number;
  readonly API_AUTH: boolean;
  readonly API_GRAPHIQL: boolean;
  readonly API_CONSOLE: boolean;
  readonly API_CONSOLE_REST_URL: string;
}

export interface ApiServerOptions {
  readonly config: ServerSettings;
  readonly log: Log;
  readonly authenticate: Authenticate;
  readonly intake: BodyIntake;
  readonly tokenLimits: TokenLimits;
  readonly execute: Pick<Execute, "readBody">;
  readonly transports: Transports;
  readonly media: Media;
  readonly now: () => number;
  readonly isReady: () => boolean;
}

const GRAPHQL_PATH = "/graphql";

export function createApiServer(options: ApiServerOptions): HttpServer {
  const { config, transports, media, intake, now } = options;
  const app = createApp(options);
  serveOperations(app, options);
  serveProbes(app, options.isReady);
  const { store, links } = media;
  if (links !== undefined) serveMedia(app, { store, links, intake, now });
  if (config.API_GRAPHIQL) {
    serveGraphiql(app, { needsToken: config.API_AUTH, takesLink: isLoopback(config.API_HOST) });
  }
  if (config.API_CONSOLE) {
    serveConsole(app, { restUrl: config.API_CONSOLE_REST_URL, mediaOrigin: () => media.linkOrigin() });
  }
  app.server.on("upgrade", transports.upgrade);
  app.addHook("preClose", transports.shutDown);
  const http = createHttpPart(app, { host: config.API_HOST, port: config.API_PORT });
  return {
    ...http,
    start: async () => {
      await media.start();
      await http.start();
    },
    stop: async () => {
      await http.stop();
      media.stop();
    },
  };
}

function createApp(options: ApiServerOptions): FastifyInstance {
  const { config, log, intake } = options;
  const identify = createIdentify(options);
  const app = createHttpApp(log, {
    bodyLimit: config.API_BODY_LIMIT_BYTES,
    serverFactory: (listener) => createHttpServer(listener, intake, identify),
  });
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, createParseBody(options.execute.readBody));
  // A page of another origin may send forms and plain text without a preflight, so the server has no parser for them.
  app.removeContentTypeParser("text/plain");
  app.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply, log));
  return app;
}

/** A body of unannounced length is counted while it arrives. */
function createIdentify({ config, authenticate, tokenLimits }: ApiServerOptions): Identify {
  return (request) => {
    const { headers } = request;
    const id = headers[TOKEN_ID];
    // The router refuses a request without a token, if it is for an operation.
    const principal = id === undefined ? undefined : authenticate({ id, value: headers[TOKEN_VALUE] });
    if (principal === undefined || principal instanceof AppError) return undefined;
    request.principal = principal;
    const { tokenId } = principal;
    // A larger body is refused, so its length, which may be any number, must not put the token into debt.
    const bytes = Math.min(Number(headers["content-length"] ?? 0), config.API_BODY_LIMIT_BYTES);
    return tokenLimits.spend(tokenId, "requests", 1) ?? tokenLimits.spend(tokenId, "bytes", bytes);
  };
}

function serveOperations(app: FastifyInstance, options: ApiServerOptions): void {
  const { authenticate, intake, tokenLimits, transports } = options;
  app.decorateRequest("principal", null);

  /** Runs before the body is read: a client without a token cannot make the server parse anything. */
  const onRequest: onRequestHookHandler = (request, _reply, done) => {
    const known = request.raw.principal;
    // A request that waited in line may have outlived its token.
    const principal = known !== undefined && authenticate.isCurrent(known) ? known : principalOf(request);
    if (principal instanceof AppError) return done(principal);
    request.principal = principal;
    done();
  };

  const principalOf = ({ headers }: FastifyRequest): Principal | AppError =>
    authenticate({ id: headers[TOKEN_ID], value: headers[TOKEN_VALUE] });

  /** The function is not async, so that a request makes no more promises than its transport does. */
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

  /** A body of announced length is in the budget already; any other is added while it arrives. */
  const preParsing: preParsingHookHandler = ({ raw, headers, principal }, _reply, body, done) => {
    if (headers["transfer-encoding"] === undefined) return done(null, body);
    let charged = 0;
    const fits = (bytes: number): boolean => {
      // The bytes count for the next request of the token: a client that still writes might never read a refusal.
      if (principal !== null) tokenLimits.charge(principal.tokenId, "bytes", bytes - charged);
      charged = bytes;
      return intake.grown(raw, bytes);
    };
    done(null, counted(body, fits));
  };

  app.route({ method: ["GET", "POST"], url: GRAPHQL_PATH, onRequest, preParsing, handler });
}

const wantsEventStream = ({ headers: { accept } }: FastifyRequest): boolean =>
  accept?.includes("text/event-stream") ?? false;

function serveProbes(app: FastifyInstance, isReady: () => boolean): void {
  for (const path of PROBES) {
    app.get(path, async (_request, reply) =>
      isProbePassed(path, isReady) ? { status: "ok" } : reply.code(503).send({ status: "not ready" }),
    );
  }
}

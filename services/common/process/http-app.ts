// The HTTP server of a service's public port, before it has routes.
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  fastify,
  LogController,
  type onResponseHookHandler,
} from "fastify";
import type { Part } from "../lifecycle.ts";
import type { Log } from "../log.ts";
import { durations } from "../metrics/define.ts";
import { tracing } from "../tracing/tracing.ts";
import { traceRequests } from "./trace-requests.ts";

export interface HttpServer extends Part {
  readonly app: FastifyInstance;
  /** Returns `http://host:port` after the start. */
  url(): string;
}

/** A server on all interfaces; a client on this machine reaches it on loopback. */
const ANY_HOST = /\/\/(0\.0\.0\.0|\[::\]):/;

export function createHttpApp(log: Log, options: FastifyServerOptions): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log;
  const app = fastify({
    ...options,
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // The log has no lines about single requests.
    childLoggerFactory: (logger) => logger,
    // While the server stops, it serves a client on an open connection once more, and then closes the connection.
    return503OnClosing: false,
  });
  app.addHook("onResponse", observeAnswer);
  if (tracing !== undefined) traceRequests(app, tracing);
  return app;
}

const httpSeconds = durations("http_seconds", "Time until an HTTP request was answered.", ["route", "status"]);

/** The time of an event stream is that of its subscription, and tells nothing. */
const observeAnswer: onResponseHookHandler = ({ routeOptions, headers: { accept } }, reply, done) => {
  if (!accept?.includes("text/event-stream")) {
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    httpSeconds.observe({ route: routeOptions.url ?? "none", status }, reply.elapsedTime / 1_000);
  }
  done();
};

export const createHttpPart = (app: FastifyInstance, listen: { host: string; port: number }): HttpServer => ({
  name: "http",
  app,
  url: () => app.listeningOrigin.replace(ANY_HOST, "//127.0.0.1:"),
  start: async () => void (await app.listen(listen)),
  stop: () => app.close(),
});

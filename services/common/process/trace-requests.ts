// Spans of the requests of an HTTP server. Their names are routes: paths, headers and bodies of callers are never in a
// span.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { TRACE_PARENT } from "../../../schemas/trace-parent.ts";
import type { TraceSpan, Tracing } from "../tracing/tracing.ts";
import { PROBES } from "./probes.ts";

const UNTRACED: ReadonlySet<string> = new Set(PROBES);
const FIRST_SERVER_ERROR = 500;

/** Must be called before the server has routes. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, TraceSpan>();

  app.addHook("onRequest", (request, _reply, done) => {
    const { method, routeOptions, headers } = request;
    if (isTraced(request)) {
      const start = { name: `${method} ${routeOptions.url}`, kind: "server" } as const;
      const span = tracing.begin(start, headers[TRACE_PARENT]);
      if (span !== undefined) spans.set(request, span);
    }
    done();
  });
  // The span becomes the current one only here: events of the request's body are not part of its asynchronous context.
  app.addHook("preHandler", (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else span.run(done);
  });
  app.addHook("onResponse", (request, { statusCode }, done) => {
    const failure = statusCode >= FIRST_SERVER_ERROR ? "error" : undefined;
    spans.get(request)?.end({ "http.response.status_code": statusCode }, failure);
    done();
  });
  app.addHook("onRequestAbort", (request, done) => {
    spans.get(request)?.end({}, "aborted");
    done();
  });
}

/** An event stream lasts as long as its subscription, and a request without a route has no name. */
const isTraced = ({ routeOptions: { url }, headers: { accept } }: FastifyRequest): boolean =>
  url !== undefined && !UNTRACED.has(url) && accept?.includes("text/event-stream") !== true;

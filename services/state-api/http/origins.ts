// Pages of other origins, such as the console, may call the REST interface only when an operator lists their origins.
import type { FastifyInstance } from "fastify";
import { TOKEN_ID, TOKEN_VALUE } from "../../../projections/catalog/tokens.ts";

const METHODS = "GET, POST, PATCH, DELETE";
const HEADERS = `content-type, if-none-match, ${TOKEN_ID}, ${TOKEN_VALUE}`;
/** Seconds for which a browser need not ask again whether it may send such a request. */
const MAX_AGE_S = "600";

/**
 * Tells browsers that pages of these origins may read the answers. The token travels in headers of its own, so no
 * cookie is ever accepted, and a page without a token gets no further than any other caller.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  app.addHook("onRequest", async (request, reply) => {
    const { origin, "access-control-request-method": asksFor } = request.headers;
    // A cache must not give the answer for one origin to another one.
    reply.header("vary", "origin");
    if (origin === undefined || !allowed.has(origin)) return;
    reply.header("access-control-allow-origin", origin).header("access-control-expose-headers", "retry-after");
    if (request.method !== "OPTIONS" || asksFor === undefined) return;
    reply.header("access-control-allow-methods", METHODS).header("access-control-allow-headers", HEADERS);
    return reply.header("access-control-max-age", MAX_AGE_S).code(204).send();
  });
}

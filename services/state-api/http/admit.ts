// Who may come in, and how many at the same time: decided before a body is read.
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Authenticate, may, type Principal, TOKEN_ID, TOKEN_VALUE } from "../../../projections/catalog/tokens.ts";
import { AppError, unavailable } from "../../../schemas/errors.ts";
import type { Route } from "./route.ts";

export interface Admit {
  /** Throws a refusal. */
  enter(request: FastifyRequest, reply: FastifyReply, route: Route): void;
  /** Once the body is there: the token may have been revoked while it arrived slowly. Throws a refusal. */
  principal(request: FastifyRequest, route: Route): Principal;
}

const RETRY_AFTER_MS = 1_000;
const everybody: Principal = { tokenId: "", name: "anybody", scopes: [] };

/** Open endpoints without a body always answer: probes must not fail because the service has much to do. */
export function createAdmission(options: { readonly authenticate: Authenticate; readonly maxRequests: number }): Admit {
  const { authenticate, maxRequests } = options;
  const principals = new WeakMap<FastifyRequest, Principal>();
  let inProgress = 0;

  function authenticated({ headers }: FastifyRequest, { scope }: Route): Principal {
    if (scope === "open" || scope === "read, or in the body") return everybody;
    const principal = authenticate({ id: headers[TOKEN_ID], value: headers[TOKEN_VALUE] });
    if (principal instanceof AppError) throw principal;
    if (!may(principal, scope)) throw new AppError("FORBIDDEN", `this needs a token with the scope ${scope}`);
    return principal;
  }

  const leave = () => {
    inProgress--;
  };

  return {
    enter(request, reply, route) {
      principals.set(request, authenticated(request, route));
      if (route.scope === "open" && route.body === undefined) return;
      if (inProgress >= maxRequests) throw unavailable("too much is coming in at once", RETRY_AFTER_MS);
      inProgress++;
      reply.raw.once("close", leave);
    },
    principal(request, route) {
      const known = principals.get(request);
      return known !== undefined && (known === everybody || authenticate.isCurrent(known))
        ? known
        : authenticated(request, route);
    },
  };
}

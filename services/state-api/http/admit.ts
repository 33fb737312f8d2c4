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

const IN_BODY = "read, or in the body";
const RETRY_AFTER_MS = 1_000;
/** Requests in progress of callers that nobody knows yet: a body that comes slowly costs them nothing. */
const MAX_UNKNOWN = 32;
/** Somebody who has shown no token, where none is needed or the body may have it. */
const anybody: Principal = { tokenId: "", name: "anybody", scopes: [] };

/** Open endpoints without a body always answer: probes must not fail because the service has much to do. */
export function createAdmission(options: { readonly authenticate: Authenticate; readonly maxRequests: number }): Admit {
  const { authenticate, maxRequests } = options;
  const principals = new WeakMap<FastifyRequest, Principal>();
  const maxUnknown = Math.min(MAX_UNKNOWN, Math.ceil(maxRequests / 2));
  let inProgress = 0;
  let unknown = 0;

  function authenticated({ headers }: FastifyRequest, { scope }: Route): Principal {
    if (scope === "open") return anybody;
    const shown = { id: headers[TOKEN_ID], value: headers[TOKEN_VALUE] };
    const principal = authenticate(shown);
    const mayBeInBody = scope === IN_BODY && shown.id === undefined && shown.value === undefined;
    if (principal instanceof AppError && mayBeInBody) return anybody;
    if (principal instanceof AppError) throw principal;
    const needed = scope === IN_BODY ? "read" : scope;
    if (!may(principal, needed)) throw new AppError("FORBIDDEN", `this needs a token with the scope ${needed}`);
    return principal;
  }

  return {
    enter(request, reply, route) {
      const principal = authenticated(request, route);
      principals.set(request, principal);
      if (route.scope === "open" && route.body === undefined) return;
      const isUnknown = principal === anybody;
      const isFull = inProgress >= maxRequests || (isUnknown && unknown >= maxUnknown);
      if (isFull) throw unavailable("too much is coming in at once", RETRY_AFTER_MS);
      inProgress++;
      if (isUnknown) unknown++;
      reply.raw.once("close", () => {
        inProgress--;
        if (isUnknown) unknown--;
      });
    },
    principal(request, route) {
      const known = principals.get(request);
      return known !== undefined && (known === anybody || authenticate.isCurrent(known))
        ? known
        : authenticated(request, route);
    },
  };
}

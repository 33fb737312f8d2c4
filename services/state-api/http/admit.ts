// Who may come in, and how many at the same time: decided before a body is read.
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Authenticate, may, type Principal, TOKEN_ID, TOKEN_VALUE } from "../../../projections/catalog/tokens.ts";
import { AppError, unavailable } from "../../../schemas/errors.ts";
import type { Scope } from "../../../schemas/events.ts";
import type { Route, ShownToken } from "./route.ts";

export interface Admit {
  /** Throws a refusal. */
  enter(request: FastifyRequest, reply: FastifyReply, route: Route): void;
  /** Of the body; callers that nobody knows yet must not have a large one parsed. */
  maxBytes(request: FastifyRequest): number;
  /**
   * Once the body is there, and before it is checked: the token may be in it, or may have been revoked while it arrived
   * slowly. Throws a refusal.
   */
  principal(request: FastifyRequest, route: Route): Principal;
}

const IN_BODY = "read, or in the body";
const RETRY_AFTER_MS = 1_000;
/** Requests in progress of callers that nobody knows yet: a body that comes slowly costs them nothing. */
const MAX_UNKNOWN = 32;
const MAX_UNKNOWN_BYTES = 64 * 1024;
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
    const mayBeInBody = scope === IN_BODY && shown.id === undefined && shown.value === undefined;
    if (mayBeInBody && authenticate(shown) instanceof AppError) return anybody;
    return checked(shown, scope === IN_BODY ? "read" : scope);
  }

  function checked(shown: ShownToken, needed: Scope): Principal {
    const principal = authenticate(shown);
    if (principal instanceof AppError) throw principal;
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
    maxBytes: (request) => (principals.get(request) === anybody ? MAX_UNKNOWN_BYTES : Number.POSITIVE_INFINITY),
    principal(request, route) {
      const known = principals.get(request);
      const isStill = known !== undefined && (known === anybody || authenticate.isCurrent(known));
      const principal = isStill ? known : authenticated(request, route);
      if (principal !== anybody || route.scope !== IN_BODY) return principal;
      return checked(route.tokenInBody?.(request.body) ?? { id: undefined, value: undefined }, "read");
    },
  };
}

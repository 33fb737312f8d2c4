// Checks tokens and their limits, and limits the number of requests in progress, before a body is read.
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Authenticate, may, type Principal, TOKEN_ID, TOKEN_VALUE } from "../../../projections/catalog/tokens.ts";
import { AppError, unavailable } from "../../../schemas/errors.ts";
import type { Scope } from "../../../schemas/events.ts";
import { FairShare } from "../../common/fairness/fair-share.ts";
import type { Route, ShownToken } from "./route.ts";
import type { RestLimits } from "./token-limits.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set when the request enters; null before. A member costs a tenth of an entry in a WeakMap. */
    caller: Principal | null;
  }
}

export interface Admit {
  /** Counts the request as in progress until it is answered. Throws a refusal. */
  enter(request: FastifyRequest, reply: FastifyReply, route: Route): void;
  /** Bytes that the body may have; unknown callers must not have a large one parsed. */
  maxBytes(request: FastifyRequest): number;
  /**
   * Called when the body has arrived and before it is checked: the token may be in it, or may have been revoked while
   * the body arrived slowly. Throws a refusal.
   */
  principal(request: FastifyRequest, route: Route): Principal;
}

const IN_BODY = "read, or in the body";
/**
 * The maximum number of requests in progress of unknown callers, who could keep requests open with slow bodies at no
 * cost.
 */
const MAX_UNKNOWN = 32;
const MAX_UNKNOWN_BYTES = 64 * 1024;
/** A caller without a token, when none is needed or the body may have it. */
const anybody: Principal = { tokenId: "", name: "anybody", scopes: [] };

/**
 * Throws FORBIDDEN for a token without the scope read. Writes need that scope when their answer or their effect shows
 * stored data.
 */
export function requireRead(principal: Principal): void {
  if (!may(principal, "read")) throw new AppError("FORBIDDEN", "this also needs a token with the scope read");
}

export interface AdmissionOptions {
  readonly authenticate: Authenticate;
  readonly maxRequests: number;
  readonly bodyLimitBytes: number;
  /** Absent when tokens have no limits. */
  readonly tokenLimits?: RestLimits | undefined;
}

/** Open endpoints without a body always answer: probes must not fail because the service is busy. */
export function createAdmission(options: AdmissionOptions): Admit {
  const { authenticate, maxRequests } = options;
  const maxUnknown = Math.min(MAX_UNKNOWN, Math.ceil(maxRequests / 2));
  const inProgress = new FairShare(maxRequests);

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

  /** Unknown callers share the id "". They have a limit, and each token has a share. */
  function mayEnter({ tokenId }: Principal, isUnknown: boolean): boolean {
    if (inProgress.all >= maxRequests) return false;
    if (isUnknown) return inProgress.of(tokenId) < maxUnknown;
    return options.tokenLimits === undefined || inProgress.mayTake(tokenId);
  }

  return {
    enter(request, reply, route) {
      const principal = authenticated(request, route);
      request.caller = principal;
      if (route.scope === "open" && route.body === undefined) return;
      const isUnknown = principal === anybody;
      if (!isUnknown) spend(principal, request, options);
      if (!mayEnter(principal, isUnknown)) throw unavailable("too much is coming in at once");
      inProgress.take(principal.tokenId);
      reply.raw.once("close", () => inProgress.giveBack(principal.tokenId));
    },
    maxBytes: ({ caller }) => (caller === anybody ? MAX_UNKNOWN_BYTES : Number.POSITIVE_INFINITY),
    principal(request, route) {
      const known = request.caller;
      const isStill = known !== null && (known === anybody || authenticate.isCurrent(known));
      const principal = isStill ? known : authenticated(request, route);
      if (principal !== anybody || route.scope !== IN_BODY) return principal;
      const shown = checked(route.tokenInBody?.(request.body) ?? { id: undefined, value: undefined }, "read");
      spend(shown, request, options);
      return shown;
    },
  };
}

/** Counts the request for its token. Throws TOO_MANY_REQUESTS. */
function spend({ tokenId }: Principal, { headers }: FastifyRequest, options: AdmissionOptions): void {
  const { tokenLimits, bodyLimitBytes } = options;
  // A larger body is refused, so its length, which may be any number, must not put the token into debt.
  const bytes = Math.min(Number(headers["content-length"] ?? 0), bodyLimitBytes);
  const refusal = tokenLimits?.spend(tokenId, "requests", 1) ?? tokenLimits?.spend(tokenId, "bytes", bytes);
  if (refusal !== undefined) throw refusal;
}

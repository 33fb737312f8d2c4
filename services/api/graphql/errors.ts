// The one place that turns an error into the client's form: `message`, `locations`, `path`, `extensions.code`.
import { GraphQLError, type GraphQLFormattedError } from "graphql";
import { AppError, type ErrorCode } from "../../../schemas/errors.ts";
import type { Log } from "../../common/log.ts";
import { type StoreVerdict, verdictOf } from "../../common/store-away.ts";
import { tooMuch } from "../read/history-client.ts";
import { operationErrors } from "./metrics.ts";

export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly path?: readonly (string | number)[] | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly referrers?: readonly string[] | undefined;
}

const INTERNAL: Refusal = { code: "INTERNAL", message: "Something went wrong here; the details are in the log." };
const AWAY: Refusal = { code: "UNAVAILABLE", message: "A store does not answer.", retryAfterMs: 1_000 };
/** It has no `retryAfterMs`, because the same query would end in the same way. */
const TOO_HEAVY: Refusal = {
  code: "QUERY_TOO_HEAVY",
  message: "the query takes too much time or memory: ask for a shorter range, or with a narrower filter",
};
const ofStore: Readonly<Record<StoreVerdict, Refusal | undefined>> = {
  "too-heavy": TOO_HEAVY,
  full: AWAY,
  away: AWAY,
  mistake: undefined,
};

/** HTTP status of a request that was refused as a whole, before execution. */
export const statusOf: Readonly<Record<ErrorCode, number>> = {
  BAD_USER_INPUT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  QUERY_TOO_HEAVY: 422,
  TOO_MANY_REQUESTS: 429,
  UNAVAILABLE: 503,
  INTERNAL: 500,
};

/** Returns the value of the header Retry-After. */
export const retryAfterSeconds = (retryAfterMs = 0): string => String(Math.ceil(retryAfterMs / 1_000));

/** Turns a thrown value into a refusal for the caller. Unknown values are INTERNAL; only the log gets their details. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof AppError) {
    const { code, message, inputPath: path, retryAfterMs, referrers } = error;
    return code === "INTERNAL" ? INTERNAL : { code, message, path, retryAfterMs, referrers };
  }
  const exceeded = tooMuch(error);
  if (exceeded !== undefined) return { code: "BAD_USER_INPUT", message: exceeded };
  const byStore = ofStore[verdictOf(error)];
  if (byStore !== undefined) return byStore;
  if (error instanceof GraphQLError) {
    // graphql-js wraps the error of a resolver or a scalar; without a wrapped error, the document or a value is at
    // fault.
    const inner = error.originalError;
    if (inner !== undefined && inner !== null && !(inner instanceof GraphQLError)) {
      const refusal = refusalOf(inner);
      return refusal.code === "BAD_USER_INPUT" ? { path: inputPath(error), ...defined(refusal) } : refusal;
    }
    return { code: "BAD_USER_INPUT", message: error.message, path: inputPath(error) ?? inputPath(inner) };
  }
  return INTERNAL;
}

/** Returns the error for the client. Logs the details that the client must not see. */
export function formatError(error: unknown, log: Log): GraphQLFormattedError {
  const refusal = refusalOf(error);
  operationErrors.inc({ code: refusal.code });
  if (refusal.code === "INTERNAL") log.error({ err: rootOf(error) }, "request failed");
  else if (refusal.code === "UNAVAILABLE" || refusal.code === "QUERY_TOO_HEAVY")
    log[isOurs(error) ? "debug" : "warn"]({ err: rootOf(error) }, "request refused");
  const { code, message, path, retryAfterMs, referrers } = refusal;
  const located = error instanceof GraphQLError ? error : undefined;
  return {
    message,
    ...(located?.locations === undefined ? {} : { locations: located.locations }),
    ...(located?.path === undefined ? {} : { path: located.path }),
    extensions: {
      code,
      ...(path === undefined ? {} : { path }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(referrers === undefined ? {} : { referrers }),
    },
  };
}

/** Returns the path of an input value, set by input-path.ts or a validation rule. */
function inputPath(error: unknown): readonly (string | number)[] | undefined {
  const path = error instanceof GraphQLError ? error.extensions["path"] : undefined;
  return Array.isArray(path) ? path : undefined;
}

function defined(refusal: Refusal): Refusal {
  const { path, ...rest } = refusal;
  return path === undefined ? rest : refusal;
}

/**
 * Refusals without a cause, such as back-pressure, may be very frequent, so only debug logs have them. Others are
 * caused by an unavailable store.
 */
function isOurs(error: unknown): boolean {
  const root = rootOf(error);
  return root instanceof AppError && root.cause === undefined;
}

function rootOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError != null ? rootOf(error.originalError) : error;
}

// Refusals as problem documents (RFC 9457).
import type { z } from "zod";
import { AppError, type ErrorCode, RETRY_AFTER_MS } from "../../../schemas/errors.ts";
import type { FlawAnswer, ProblemDocument } from "../../../schemas/rest/http.ts";
import { type StoreVerdict, verdictOf } from "../../common/store-away.ts";

export const PROBLEM_JSON = "application/problem+json";

/** Kinds of refusals; the name is the end of the `type`. */
const kinds = {
  validation: { status: 400, title: "The request is not valid" },
  unauthenticated: { status: 401, title: "A valid token is needed" },
  forbidden: { status: 403, title: "The token does not allow this" },
  "not-found": { status: 404, title: "There is no such resource" },
  "method-not-allowed": { status: 405, title: "The resource does not have this method" },
  timeout: { status: 408, title: "The request did not arrive in time" },
  conflict: { status: 409, title: "The request does not fit the present state" },
  "too-many-subscriptions": { status: 409, title: "There are too many subscriptions" },
  "too-many-replays": { status: 409, title: "There are too many replay sessions" },
  "precondition-failed": { status: 412, title: "A condition of the request does not hold" },
  "too-large": { status: 413, title: "The request is too large" },
  "media-type": { status: 415, title: "The body must be application/json" },
  "query-too-heavy": { status: 422, title: "The answer takes too much time or memory" },
  "too-many-requests": { status: 429, title: "Too many requests" },
  "headers-too-large": { status: 431, title: "The headers are too large" },
  internal: { status: 500, title: "The server made a mistake" },
  upstream: { status: 502, title: "The GraphQL server did not answer as it should" },
  unavailable: { status: 503, title: "The service cannot answer now" },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

export type ProblemKind = keyof typeof kinds;

interface More {
  readonly errors?: readonly FlawAnswer[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** Thrown by handlers; its detail is meant for the caller. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly kind: ProblemKind;
  readonly errors: readonly FlawAnswer[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: ProblemKind, detail: string, { errors, headers = {}, cause }: More = {}) {
    super(detail, { cause });
    this.kind = kind;
    this.errors = errors;
    this.headers = headers;
  }

  get status(): number {
    return kinds[this.kind].status;
  }

  get document(): ProblemDocument {
    const { status, title } = kinds[this.kind];
    const errors = this.errors === undefined ? {} : { errors: [...this.errors] };
    return { type: `urn:tracklog:problem:${this.kind}`, title, status, detail: this.message, ...errors };
  }
}

const ofCode: Readonly<Record<ErrorCode, ProblemKind>> = {
  BAD_USER_INPUT: "validation",
  UNAUTHENTICATED: "unauthenticated",
  FORBIDDEN: "forbidden",
  NOT_FOUND: "not-found",
  CONFLICT: "conflict",
  QUERY_TOO_HEAVY: "query-too-heavy",
  TOO_MANY_REQUESTS: "too-many-requests",
  UNAVAILABLE: "unavailable",
  INTERNAL: "internal",
};

/** Problems for stores that did not answer. */
const ofStore: Readonly<Record<StoreVerdict, ((cause: unknown) => Problem) | undefined>> = {
  "too-heavy": (cause) => new Problem("query-too-heavy", "the history does not answer this in time", { cause }),
  full: (cause) => away(cause),
  away: (cause) => away(cause),
  mistake: undefined,
};

const away = (cause: unknown) =>
  new Problem("unavailable", "a store does not answer", { headers: retryAfter(RETRY_AFTER_MS), cause });

/** Turns any error into a problem that the caller may see. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof AppError) return ofAppError(error);
  const byStore = ofStore[verdictOf(error)];
  if (byStore !== undefined) return byStore(error);
  const kind = ofStatus(error);
  if (kind !== undefined && error instanceof Error) return new Problem(kind, error.message);
  return new Problem("internal", "the cause is in the server's log", { cause: error });
}

function ofAppError(error: AppError): Problem {
  const { code, inputPath, retryAfterMs, message } = error;
  const errors = inputPath === undefined ? {} : { errors: [{ pointer: pointerOf(inputPath), detail: message }] };
  const headers = retryAfterMs === undefined ? {} : { headers: retryAfter(retryAfterMs) };
  return new Problem(ofCode[code], message, { ...errors, ...headers, cause: error.cause });
}

/** Handles fastify's own refusals: a body that is too large, of another type, or not JSON. */
function ofStatus(error: unknown): ProblemKind | undefined {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  if (status === 413) return "too-large";
  if (status === 415) return "media-type";
  return typeof status === "number" && status >= 400 && status < 500 ? "validation" : undefined;
}

/** `place` is the part of the request with the value, e.g. `query`; the body has none. */
export function invalid(error: z.ZodError, place?: "query" | "path" | "headers"): Problem {
  const errors = error.issues.slice(0, MAX_FLAWS).map(({ path, message }) => ({
    pointer: pointerOf(place === undefined ? path : [place, ...path]),
    detail: message.slice(0, MAX_DETAIL_LENGTH),
  }));
  const [first] = errors;
  return new Problem("validation", first === undefined ? "not valid" : `${first.pointer}: ${first.detail}`, { errors });
}

const MAX_FLAWS = 100;
/** Bounds the message of zod, which names all unknown members. */
const MAX_DETAIL_LENGTH = 500;

/** Returns a JSON pointer (RFC 6901) as a fragment. */
const pointerOf = (path: readonly PropertyKey[]): string =>
  ["#", ...path.map((part) => String(part).replaceAll("~", "~0").replaceAll("/", "~1"))].join("/");

export const retryAfter = (ms: number) => ({ "retry-after": String(Math.ceil(ms / 1_000)) });

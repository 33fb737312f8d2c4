// Refusals as problem documents (RFC 9457).
import { z } from "zod";
import { AppError, type ErrorCode } from "../../../schemas/errors.ts";
import { codeOf, isStoreAway, isTooHeavy } from "../../common/store-away.ts";

export const PROBLEM_JSON = "application/problem+json";

const flaw = z.object({
  pointer: z.string().meta({ description: "#/a/b of the body, #/query/a, #/path/a or #/headers/a of the request" }),
  detail: z.string(),
});

export const problemSchema = z
  .object({
    type: z.string().meta({ description: "stable: programs may compare it" }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: z.array(flaw).optional().meta({ description: "the values at fault" }),
  })
  .meta({ id: "Problem", description: "A refusal, as in RFC 9457" });

/** A value at fault. */
export type Flaw = Readonly<z.output<typeof flaw>>;
type ProblemDocument = z.output<typeof problemSchema>;

/** The kinds of refusals; the name ends the `type`. */
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

/** Of the first kind with this status. */
export const titleOf = (status: number): string =>
  Object.values(kinds).find((kind) => kind.status === status)?.title ?? "";

interface More {
  readonly errors?: readonly Flaw[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** Thrown by handlers; its detail is meant for the caller. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly kind: ProblemKind;
  readonly errors: readonly Flaw[] | undefined;
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
  UNAVAILABLE: "unavailable",
  INTERNAL: "internal",
};

const RETRY_AFTER_MS = 1_000;

/** ClickHouse: UNKNOWN_TABLE, UNKNOWN_DATABASE, until the first projector has made them. */
const NOT_MADE_YET: ReadonlySet<unknown> = new Set(["60", "81"]);

const isLater = (error: unknown): boolean => isStoreAway(error) || NOT_MADE_YET.has(codeOf(error));

/** Any error as the caller may see it. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof AppError) return ofAppError(error);
  if (isTooHeavy(error))
    return new Problem("query-too-heavy", "the history does not answer this in time", { cause: error });
  if (isLater(error)) {
    return new Problem("unavailable", "a store does not answer", { headers: retryAfter(RETRY_AFTER_MS), cause: error });
  }
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

/** Of fastify's own refusals: a body that is too large, of another type, or not JSON. */
function ofStatus(error: unknown): ProblemKind | undefined {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  if (status === 413) return "too-large";
  if (status === 415) return "media-type";
  return typeof status === "number" && status >= 400 && status < 500 ? "validation" : undefined;
}

/** `place`: where the value was, e.g. `query`; the body has none. */
export function invalid(error: z.ZodError, place?: "query" | "path" | "headers"): Problem {
  const errors = error.issues.slice(0, MAX_FLAWS).map(({ path, message }) => ({
    pointer: pointerOf(place === undefined ? path : [place, ...path]),
    detail: message.slice(0, MAX_DETAIL_LENGTH),
  }));
  const [first] = errors;
  return new Problem("validation", first === undefined ? "not valid" : `${first.pointer}: ${first.detail}`, { errors });
}

const MAX_FLAWS = 100;
/** zod names all members that it does not know. */
const MAX_DETAIL_LENGTH = 500;

/** RFC 6901, as a fragment. */
const pointerOf = (path: readonly PropertyKey[]): string =>
  ["#", ...path.map((part) => String(part).replaceAll("~", "~0").replaceAll("/", "~1"))].join("/");

export const retryAfter = (ms: number) => ({ "retry-after": String(Math.ceil(ms / 1_000)) });

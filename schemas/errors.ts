import type { Flaw } from "./flaw.ts";

export type ErrorCode =
  | "BAD_USER_INPUT"
  | "UNAUTHENTICATED"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "CONFLICT"
  | "QUERY_TOO_HEAVY"
  | "TOO_MANY_REQUESTS"
  | "UNAVAILABLE"
  | "INTERNAL";

/** Path of an input field, as in a GraphQL error path. */
export type InputPath = readonly (string | number)[];

interface Details {
  readonly cause?: unknown;
  /** Path of the input field at fault, as in a GraphQL error path. */
  readonly path?: InputPath;
  readonly retryAfterMs?: number;
  /** Ids of the objects that refer to this one. */
  readonly referrers?: readonly string[];
}

/** An expected refusal: its message is meant for the caller, its code is stable. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  /** The name is not `path`, otherwise graphql-js would take the error for one that it has located already. */
  readonly inputPath: InputPath | undefined;
  readonly retryAfterMs: number | undefined;
  readonly referrers: readonly string[] | undefined;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.inputPath = details.path;
    this.retryAfterMs = details.retryAfterMs;
    this.referrers = details.referrers;
  }
}

export const badInput = (message: string, path?: InputPath): AppError =>
  new AppError("BAD_USER_INPUT", message, path === undefined ? {} : { path });

/** Throws BAD_USER_INPUT when there is a flaw. `path` is that of the checked value. */
export function refuse(flaw: Flaw | undefined, path: InputPath): void {
  if (flaw !== undefined) throw badInput(flaw.reason, [...path, ...flaw.path]);
}

/**
 * Turns the refusal of a part into a refusal of the whole input that contains the part at this path. Returns other
 * errors unchanged.
 */
export const refusedAt = (path: InputPath, error: unknown): unknown =>
  error instanceof AppError && error.code === "BAD_USER_INPUT"
    ? badInput(error.message, [...path, ...(error.inputPath ?? [])])
    : error;

export const notFound = (what: string, id: string, path?: InputPath): AppError =>
  new AppError("NOT_FOUND", `${what} ${id} does not exist`, path === undefined ? {} : { path });

/** The maximum number of ids of referring objects that an error lists. */
export const SHOWN_REFERRERS = 100;

/**
 * The error of an object, `what`, that others refer to. A caller need not know how many there are beyond those shown.
 */
export function conflict(what: string, referrers: readonly string[]): AppError {
  const shown = referrers.slice(0, SHOWN_REFERRERS);
  return new AppError("CONFLICT", `${what} is referred to by ${othersIn(referrers.length)}`, { referrers: shown });
}

function othersIn(count: number): string {
  if (count === 1) return "one other";
  return count > SHOWN_REFERRERS ? `more than ${SHOWN_REFERRERS} others` : `${count} others`;
}

/** The error for an id that another object has already. */
export const taken = (what: string, id: string, reason: string, path: InputPath): AppError =>
  new AppError("CONFLICT", `${what} ${id}: ${reason}`, { path });

/** The error for a condition on an object that somebody else has changed since the caller read it. */
export const changedSince = (what: string, id: string, path: InputPath): AppError =>
  new AppError("CONFLICT", `${what} ${id} has been changed since then`, { path });

/** After this time a client may repeat what was refused for a moment. */
export const RETRY_AFTER_MS = 1_000;

export const unavailable = (message: string, retryAfterMs = RETRY_AFTER_MS, cause?: unknown): AppError =>
  new AppError("UNAVAILABLE", message, { retryAfterMs, cause });

/** The error for a caller that exceeds a limit of its own, whatever the others do. */
export const tooManyRequests = (message: string, retryAfterMs = RETRY_AFTER_MS): AppError =>
  new AppError("TOO_MANY_REQUESTS", message, { retryAfterMs });

/** Last branch of a switch over all kinds: the compiler refuses a kind that has no branch. */
export function unreachable(kind: never): never {
  throw new Error(`unknown kind ${JSON.stringify(kind)}`);
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

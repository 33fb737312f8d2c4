import type { Flaw } from "./flaw.ts";

export type ErrorCode =
  | "BAD_USER_INPUT"
  | "UNAUTHENTICATED"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "CONFLICT"
  | "QUERY_TOO_HEAVY"
  | "UNAVAILABLE"
  | "INTERNAL";

interface Details {
  readonly cause?: unknown;
  /** Path of the input field at fault, as in a GraphQL error path. */
  readonly path?: readonly (string | number)[];
  readonly retryAfterMs?: number;
  /** Ids of the objects that refer to this one. */
  readonly referrers?: readonly string[];
}

/** An expected refusal: its message is meant for the caller, its code is stable. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  /** Not called `path`: graphql-js would take the error for one that it has located already. */
  readonly inputPath: readonly (string | number)[] | undefined;
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

export const badInput = (message: string, path?: readonly (string | number)[]): AppError =>
  new AppError("BAD_USER_INPUT", message, path === undefined ? {} : { path });

/** Throws BAD_USER_INPUT if there is a flaw. `path` is that of the checked value. */
export function refuse(flaw: Flaw | undefined, path: readonly (string | number)[]): void {
  if (flaw !== undefined) throw badInput(flaw.reason, [...path, ...flaw.path]);
}

/** Turns a refusal of a part into one of the input that has the part at this path; leaves other errors as they are. */
export const refusedAt = (path: readonly (string | number)[], error: unknown): unknown =>
  error instanceof AppError && error.code === "BAD_USER_INPUT"
    ? badInput(error.message, [...path, ...(error.inputPath ?? [])])
    : error;

export const notFound = (what: string, id: string, path?: readonly (string | number)[]): AppError =>
  new AppError("NOT_FOUND", `${what} ${id} does not exist`, path === undefined ? {} : { path });

/** Of the ids of what refers to an object. */
export const SHOWN_REFERRERS = 100;

/** `what` is referred to. If there are more than can be shown, a caller need not know how many there are. */
export function conflict(what: string, referrers: readonly string[]): AppError {
  const shown = referrers.slice(0, SHOWN_REFERRERS);
  return new AppError("CONFLICT", `${what} is referred to by ${othersIn(referrers.length)}`, { referrers: shown });
}

function othersIn(count: number): string {
  if (count === 1) return "one other";
  return count > SHOWN_REFERRERS ? `more than ${SHOWN_REFERRERS} others` : `${count} others`;
}

/** Another object has the id already. */
export const taken = (what: string, id: string, reason: string, path: readonly (string | number)[]): AppError =>
  new AppError("CONFLICT", `${what} ${id}: ${reason}`, { path });

export const unavailable = (message: string, retryAfterMs: number, cause?: unknown): AppError =>
  new AppError("UNAVAILABLE", message, { retryAfterMs, cause });

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

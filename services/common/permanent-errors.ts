// Failures that no retry can mend: programming errors, and commands that Redis will always refuse.
import { ReplyError } from "ioredis";

/**
 * Thrown for a failure that the service itself detects. The text says how to mend it, because the process ends with it.
 */
export class PermanentError extends Error {
  override readonly name: string = "PermanentError";
}

/** SyntaxError is not listed: a running service parses only answers from outside, and an answer can be cut off. */
const PROGRAMMING_ERRORS = [RangeError, TypeError, ReferenceError];

/** Refusals of a Redis that is starting, full, failing over or busy, or that has not received the password yet. */
const TRANSIENT_REPLIES: ReadonlySet<string> = new Set([
  "ASK",
  "BUSY",
  "CLUSTERDOWN",
  "EXECABORT",
  "LOADING",
  "MASTERDOWN",
  "MISCONF",
  "MOVED",
  "NOAUTH",
  "NOPERM",
  "NOREPLICAS",
  "NOSCRIPT",
  "OOM",
  "READONLY",
  "TRYAGAIN",
  "UNKILLABLE",
  "WRONGPASS",
]);

export function isPermanentError(error: unknown): boolean {
  if (error instanceof Error && error instanceof ReplyError) return !hasTransientCode(error);
  // An error with a cause wraps a failure outside, for example that of fetch().
  if (error instanceof PermanentError) return true;
  return PROGRAMMING_ERRORS.some((kind) => error instanceof kind && error.cause === undefined);
}

/** True for a refusal of Redis that a retry may mend. */
export const isTransientReply = (error: Error): boolean => error instanceof ReplyError && hasTransientCode(error);

/** Redis gives its code only as a word of the text: the first, or a later one for a command in a script of Redis 6. */
function hasTransientCode({ message }: Error): boolean {
  return message.split(" ").some((word) => TRANSIENT_REPLIES.has(word.replace(/^-/, "")));
}

// Failures that no repetition can mend: programming errors, and commands that Redis will always refuse.
import { ReplyError } from "ioredis";

/** Thrown for a failure that the service itself finds. The text says what to do, because the process ends with it. */
export class HopelessError extends Error {
  override readonly name: string = "HopelessError";
}

/** Not SyntaxError: a running service parses only answers from outside, and an answer can be cut off. */
const PROGRAMMING_ERRORS = [RangeError, TypeError, ReferenceError];

/** Refusals of a Redis that is starting, full, failing over, busy, or not yet given the password. */
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

export function isHopeless(error: unknown): boolean {
  if (error instanceof Error && error instanceof ReplyError) return !hasTransientCode(error);
  // An error with a cause is a client's wrapper around a failure outside, such as that of fetch().
  if (error instanceof HopelessError) return true;
  return PROGRAMMING_ERRORS.some((kind) => error instanceof kind && error.cause === undefined);
}

/** A refusal of Redis that a repetition may mend. */
export const isTransientReply = (error: Error): boolean => error instanceof ReplyError && hasTransientCode(error);

/** Redis gives its code only as a word of the text: the first, or a later one for a command in a script of Redis 6. */
function hasTransientCode({ message }: Error): boolean {
  return message.split(" ").some((word) => TRANSIENT_REPLIES.has(word.replace(/^-/, "")));
}

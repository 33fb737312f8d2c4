// The meaning of a receiver's answer, and the time of the next attempt.

export interface Answered {
  readonly status: number;
  /** The header Retry-After as the receiver sent it. */
  readonly retryAfter: string | undefined;
}

export type Outcome =
  | { readonly kind: "delivered" }
  /** The receiver refuses all further deliveries. */
  | { readonly kind: "gone" }
  | {
      readonly kind: "failed";
      readonly error: string | null;
      /** The pause that the receiver asks for. Undefined when it asks for none. */
      readonly retryAfterMs: number | undefined;
    };

const GONE = 410;
/** The statuses that allow a later attempt and say when. Retry-After is ignored with all others. */
const WITH_RETRY_AFTER = [429, 503];

/** `now` is the present time in ms, for a Retry-After that is a date. */
export function outcomeOf({ status, retryAfter }: Answered, now: number): Outcome {
  if (status >= 200 && status < 300) return { kind: "delivered" };
  if (status === GONE) return { kind: "gone" };
  const error = status >= 300 && status < 400 ? "redirects are not followed" : null;
  const retryAfterMs = WITH_RETRY_AFTER.includes(status) ? parseRetryAfter(retryAfter, now) : undefined;
  return { kind: "failed", error, retryAfterMs };
}

/**
 * Milliseconds from now.
 * @returns undefined when the text is neither seconds nor a date.
 */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  const trimmed = text?.trim() ?? "";
  if (/^\d{1,15}$/.test(trimmed)) return Number(trimmed) * 1_000;
  // Date.parse accepts almost anything; an HTTP date begins with a weekday.
  const at = /^[A-Z][a-z]{2}/.test(trimmed) ? Date.parse(trimmed) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

export interface RetrySettings {
  /** Pause after the first failure; each further failure doubles it. */
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** No attempt begins later than this after the signal. */
  readonly keepMs: number;
}

export interface Failures {
  readonly createdAt: number;
  readonly now: number;
  /** Failures in a row at this receiver, including this one. */
  readonly inARow: number;
  readonly retryAfterMs: number | undefined;
  /** A random number from 0 to 1. */
  readonly random: number;
}

const JITTER = 0.2;

/**
 * The time of the next attempt, ms since the epoch.
 * @returns undefined when the delivery has failed for good.
 */
export function nextAttemptAt(failures: Failures, settings: RetrySettings): number | undefined {
  const { createdAt, now, inARow, random } = failures;
  const lastAt = createdAt + settings.keepMs;
  if (now >= lastAt) return undefined;
  const doubled = Math.min(settings.firstDelayMs * 2 ** Math.max(0, inARow - 1), settings.longestDelayMs);
  // The jitter keeps receivers that failed together from being tried together again.
  const jittered = doubled * (1 - JITTER + 2 * JITTER * random);
  const asked = Math.min(failures.retryAfterMs ?? 0, settings.longestDelayMs);
  const at = Math.round(now + Math.max(jittered, asked));
  return at <= lastAt ? at : undefined;
}

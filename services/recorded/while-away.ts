import { messageOf } from "../../schemas/errors.ts";
import { HOUR_MS } from "../../schemas/units.ts";
import type { Log } from "../common/log.ts";
import { growing, loop } from "../common/loop.ts";
import { type StoreVerdict, verdictOf } from "../common/store-away.ts";
import { SessionFailed, SessionLost } from "./failed.ts";

export interface AwayOptions {
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Milliseconds for which a store may be unavailable; by default an hour. */
  readonly mostMs?: number;
}

/** While Redis is unavailable a session can neither continue nor end. */
export const FOR_EVER = Number.POSITIVE_INFINITY;

const backoff = growing(100, 2_000);
/**
 * A session fails after this many failures of a heavy query. Fewer may only show a busy machine, but a query that never
 * ends must not be repeated for ever.
 */
const LEAST_TRIES = 8;
/**
 * The failures must also extend over this time, ms: a server whose memory is full refuses several tries within a
 * moment.
 */
const LEAST_MS = 180_000;
/**
 * Milliseconds for which a store may be unavailable by default: longer than an upgrade of the stores takes. It is
 * bounded because a waiting session holds a place, and its owner must learn why nothing is sent.
 */
const MOST_AWAY_MS = HOUR_MS;

/**
 * Repeats the attempt while the store is unavailable. Rejects at once with an error that no retry can mend, with
 * SessionLost once the signal has aborted, and with SessionFailed when the store has given the query up again and again
 * for minutes, or was unavailable for too long.
 */
export async function whileAway<T>(attempt: () => Promise<T>, { log, signal, mostMs }: AwayOptions): Promise<T> {
  const tries = createTries(mostMs);
  const once = async () => {
    try {
      return { value: await attempt() };
    } catch (error) {
      tries.failed(error, performance.now());
      log.warn({ err: messageOf(error) }, "replay: a store is away");
      return undefined;
    }
  };
  const done = signal.aborted ? undefined : await loop(once, { pauseMs: backoff, signal });
  if (done === undefined) throw new SessionLost("stopped");
  return done.value;
}

/** `failed` throws when another try is useless; `now` is the time of any clock, ms. */
export function createTries(mostMs = MOST_AWAY_MS): { failed(error: unknown, now: number): void } {
  let heavyTries = 0;
  let heavySince = 0;
  let since: number | undefined;

  function failedHeavily(cause: unknown, now: number): void {
    if (heavyTries === 0) heavySince = now;
    heavyTries += 1;
    if (heavyTries < LEAST_TRIES || now - heavySince < LEAST_MS) return;
    throw new SessionFailed("the history takes too long, or too much memory, to answer", { cause });
  }

  function failedAway(cause: unknown, now: number): void {
    heavyTries = 0;
    since ??= now;
    if (now - since < mostMs) return;
    throw new SessionFailed(`${storeOf(cause)} did not answer for ${Math.round(mostMs / 60_000)} minutes`, { cause });
  }

  function mistaken(cause: unknown): never {
    throw cause;
  }

  const by: Readonly<Record<StoreVerdict, (cause: unknown, now: number) => void>> = {
    "too-heavy": failedHeavily,
    full: failedHeavily,
    away: failedAway,
    mistake: mistaken,
  };
  return { failed: (cause, now) => by[verdictOf(cause)](cause, now) };
}

/** Returns the name of the store. kafkajs marks each of its errors as retriable or not. */
function storeOf(error: unknown): string {
  if (!(error instanceof Error)) return "the history";
  return "retriable" in error ? "Kafka" : error.cause === error ? "the history" : storeOf(error.cause);
}

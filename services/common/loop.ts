// Repeats an action with a pause in between.
import { setTimeout as delay } from "node:timers/promises";

/** Length of the pause after each round; the first round has the number 0. */
export type Pause = number | ((round: number) => number);

interface Endless {
  readonly pauseMs: Pause;
  readonly withinMs?: undefined;
  readonly signal?: undefined;
}

interface Bounded {
  readonly pauseMs: Pause;
  /** Maximum time in ms. It also cuts a pause short; the round after that pause is the last one. */
  readonly withinMs?: number;
  /** An abort cuts a pause short, and no further pause begins; the round after a cut pause is the last one. */
  readonly signal?: AbortSignal;
}

type Round<T> = () => T | undefined | Promise<T | undefined>;

/** Repeats until a round returns a value. Rejects as soon as a round does. */
export function loop<T>(round: Round<T>, pauses: Endless): Promise<T>;
/**
 * Runs at least one round.
 * @returns undefined when no round returned a value before the time was up or the signal aborted.
 */
export function loop<T>(round: Round<T>, pauses: Bounded): Promise<T | undefined>;
export async function loop<T>(round: Round<T>, { pauseMs, withinMs, signal }: Bounded | Endless) {
  const endsAt = performance.now() + (withinMs ?? Number.POSITIVE_INFINITY);
  for (let number = 0; ; number++) {
    const found = await round();
    if (found !== undefined) return found;
    const leftMs = endsAt - performance.now();
    if (signal?.aborted === true || leftMs <= 0) return undefined;
    await pause(Math.min(typeof pauseMs === "number" ? pauseMs : pauseMs(number), leftMs), signal);
  }
}

/**
 * Repeats the attempt until it succeeds. Rejects at once with a failure for which `mayRepeat` returns false, and with
 * the newest one when the time is up or the signal aborts.
 */
export async function untilDone<T>(
  attempt: () => Promise<T>,
  mayRepeat: (failure: unknown) => boolean,
  pauses: Bounded,
): Promise<T> {
  let newest: unknown;
  const done = await loop(async () => {
    try {
      return { result: await attempt() };
    } catch (failure) {
      if (!mayRepeat(failure)) throw failure;
      newest = failure;
      return undefined;
    }
  }, pauses);
  if (done === undefined) throw newest;
  return done.result;
}

/**
 * Repeats until the condition holds.
 * @returns false when the time was up before.
 */
export async function untilSo(isSo: () => boolean | Promise<boolean>, pauses: Bounded): Promise<boolean> {
  const found = await loop(async () => ((await isSo()) ? true : undefined), pauses);
  return found ?? false;
}

/** Pauses that double up to the longest. */
export const growing =
  (firstMs: number, longestMs: number) =>
  (round: number): number =>
    Math.min(firstMs * 2 ** round, longestMs);

/** setTimeout fires at once when the delay is longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Resolves early when the signal aborts, and after the longest time that a timer can have (25 days). */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(Math.min(ms, LONGEST_TIMER_MS), undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}

// The one way to do something again and again with a pause in between.
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
  /** Cuts a pause short, too: the round at its end is the last one. */
  readonly withinMs?: number;
  /** Cuts a pause short, and lets no further pause begin; the round after a pause that was cut is the last one. */
  readonly signal?: AbortSignal;
}

type Round<T> = () => T | undefined | Promise<T | undefined>;

/** Repeats until a round gives something. Rejects as soon as a round does. */
export function loop<T>(round: Round<T>, pauses: Endless): Promise<T>;
/** undefined: no round gave anything before the time was up or the signal came. There is one round at least. */
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

/** Repeats until it is so; false when the time was up before. */
export async function untilSo(isSo: () => boolean | Promise<boolean>, pauses: Bounded): Promise<boolean> {
  const found = await loop(async () => ((await isSo()) ? true : undefined), pauses);
  return found ?? false;
}

/** Pauses that double up to the longest. */
export const growing =
  (firstMs: number, longestMs: number) =>
  (round: number): number =>
    Math.min(firstMs * 2 ** round, longestMs);

/** Resolves early when the signal comes. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}

// The clock of a playback, and what is loaded next for it. Times of the recording and of the wall are both in
// milliseconds.

export const SPEEDS = [1, 2, 4, 8, 16, 32, 64] as const;

/** A longer pause between two frames is not made up for: the tab was hidden, or the machine slept. */
const LONGEST_FRAME_MS = 1_000;

/** The moment that is shown `elapsedMs` of the wall later; `latest` at the most. */
export const momentAfter = (at: number, elapsedMs: number, speed: number, latest: number): number =>
  Math.min(latest, at + Math.min(LONGEST_FRAME_MS, Math.max(0, elapsedMs)) * speed);

export interface LoadState {
  /** The moment that is shown. */
  readonly at: number;
  readonly speed: number;
  /** The last moment that is known or on its way. */
  readonly loadedUntil: number;
  /** The last page: how much of the recording it had, and how long it took to come. Undefined before the first. */
  readonly page: { readonly coversMs: number; readonly tookMs: number } | undefined;
  /** How long the last picture of a moment took to come. */
  readonly stillTookMs: number;
}

export type NextLoad =
  | { readonly kind: "nothing" }
  /** The detections after `loadedUntil`. */
  | { readonly kind: "page" }
  /** Only the picture of the moment `at`: what is between is left out. */
  | { readonly kind: "still"; readonly at: number };

/** So much of the wall's time is loaded ahead. */
const AHEAD_MS = 3_000;
/** Pictures of single moments that are on their way at a time. */
export const STILLS_AT_ONCE = 3;
/** Two pictures of single moments are at least this far apart, in the wall's time. */
const SHORTEST_STEP_MS = 80;

/**
 * Pages as long as they come faster than they are played; otherwise pictures of single moments, so that the playback
 * keeps its speed with fewer frames.
 */
export function nextLoad({ at, speed, loadedUntil, page, stillTookMs }: LoadState): NextLoad {
  if (loadedUntil - at >= AHEAD_MS * speed) return { kind: "nothing" };
  const isFast = page === undefined || page.coversMs >= page.tookMs * speed;
  if (isFast && at - loadedUntil < AHEAD_MS * speed) return { kind: "page" };
  const stepMs = Math.max(SHORTEST_STEP_MS, stillTookMs / STILLS_AT_ONCE);
  // A picture is of use only if it comes before its moment is over.
  return { kind: "still", at: Math.round(Math.max(at + stillTookMs * speed, loadedUntil + stepMs * speed)) };
}

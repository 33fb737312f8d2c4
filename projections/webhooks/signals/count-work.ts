import type { Fold } from "../../live/state.ts";

/** Reading this many subscriptions, or tracks in a zone, costs as much as testing one geofence. */
const PER_GEOFENCE = 8;

/** Counts work, so that the fold pauses after much of it. */
export function countWork(fold: Fold, count: number): void {
  fold.workSincePause += count / PER_GEOFENCE;
}

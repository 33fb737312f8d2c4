import type { Fold } from "../live/state.ts";

/** A look at so many subscriptions, or tracks in a zone, costs as much as one at a geofence. */
const PER_GEOFENCE = 8;

/** Counts work, so that the fold rests after much of it. */
export function look(fold: Fold, count: number): void {
  fold.looked += count / PER_GEOFENCE;
}

// The writer of a geofence may have died before it had notified every partition. Then the owner of a partition notifies
// it.
import type { Geofences } from "../../../projections/live/partition.ts";

/** A change counts as missing when the log has not named it for this long: a writer needs far less time. */
const MEND_AFTER_MS = 2_000;

export class MissingGeofences {
  /** The newest change of a geofence that the log has not named, and since when. */
  #behind: { readonly newest: number; readonly sinceMs: number } | undefined;

  /**
   * Returns the newest change of the catalog that the partition's log has not named for a while.
   * @returns undefined when no change is missing.
   */
  check(upTo: number, geofences: Geofences, nowMs: number): number | undefined {
    const newest = geofences.newest();
    if (!(upTo < newest)) return this.reset();
    if (this.#behind === undefined || upTo >= this.#behind.newest) this.#behind = { newest, sinceMs: nowMs };
    if (nowMs - this.#behind.sinceMs < MEND_AFTER_MS) return undefined;
    this.#behind = { newest, sinceMs: nowMs };
    return newest;
  }

  reset(): undefined {
    this.#behind = undefined;
  }
}

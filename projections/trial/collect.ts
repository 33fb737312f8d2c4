// The answer of a trial: one page of its stays, and totals over all of them.
import { badInput } from "../../schemas/errors.ts";
import type { TrialStay } from "./zone-trial.ts";

export interface TrialTotals {
  readonly stays: number;
  /** Number of tracks with a stay. */
  readonly tracks: number;
  /** Number of stays that had not ended at the end of the range. */
  readonly open: number;
  /** Sum of the durations of the stays that have ended, ms. */
  readonly durationMs: number;
  /** Null when no stay has ended. */
  readonly duration: { readonly min: number; readonly average: number; readonly max: number } | null;
}

/** The place of a stay in the order of a trial. No two stays have the same. */
export type StayPlace = Pick<TrialStay, "startTime" | "trackId">;

export interface PageOfStays {
  /** The maximum number of stays to keep. */
  readonly most: number;
  /** The stays after this place are kept. */
  readonly after: StayPlace | undefined;
}

/** Tracks that are counted: their ids stay in memory until the end. */
const MOST_TRACKS = 500_000;

/**
 * Collects stays in any order. Only those of the page stay in memory, and the ids of the tracks. Throws BAD_USER_INPUT
 * when there are too many tracks.
 */
export function createStayCollection({ most, after }: PageOfStays) {
  const page: TrialStay[] = [];
  const tracks = new Set<string>();
  let stays = 0;
  let open = 0;
  let durationMs = 0;
  let shortest = Number.POSITIVE_INFINITY;
  let longest = 0;

  function insert(stay: TrialStay): void {
    if (after !== undefined && !isBefore(after, stay)) return;
    const last = page.at(-1);
    if (page.length >= most && (last === undefined || isBefore(last, stay))) return;
    page.splice(placeIn(page, stay), 0, stay);
    if (page.length > most) page.pop();
  }

  return {
    add(stay: TrialStay): void {
      stays++;
      tracks.add(stay.trackId);
      if (tracks.size > MOST_TRACKS) {
        throw badInput(`more than ${MOST_TRACKS} tracks were in the zone: ask for a shorter range`, ["endTime"]);
      }
      if (stay.endTime === null) open++;
      else {
        const lasted = Math.max(stay.endTime - stay.startTime, 0);
        durationMs += lasted;
        shortest = Math.min(shortest, lasted);
        longest = Math.max(longest, lasted);
      }
      insert(stay);
    },

    page: (): readonly TrialStay[] => page,

    totals(): TrialTotals {
      const ended = stays - open;
      const average = Math.floor((2 * durationMs + ended) / (2 * ended));
      const duration = ended === 0 ? null : { min: shortest, average, max: longest };
      return { stays, tracks: tracks.size, open, durationMs, duration };
    },
  };
}

const isBefore = (a: StayPlace, b: StayPlace): boolean =>
  a.startTime < b.startTime || (a.startTime === b.startTime && a.trackId < b.trackId);

function placeIn(page: readonly TrialStay[], stay: TrialStay): number {
  let [low, high] = [0, page.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = page[middle];
    if (other !== undefined && isBefore(other, stay)) low = middle + 1;
    else high = middle;
  }
  return low;
}

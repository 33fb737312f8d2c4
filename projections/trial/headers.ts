// The headers of the tracks that a trial knows at present, and which of their explicit ends it has folded.
import type { TrialHeader } from "../history/queries/trial-headers.ts";

const UNKNOWN: TrialHeader = { tag: "", end: null };

/** Ends at `to` or later do not count. */
export function createTrialHeaderMemory(to: number) {
  const headers = new Map<string, TrialHeader>();
  const ended = new Set<string>();
  return {
    isKnown: (trackId: string): boolean => headers.has(trackId),

    set(trackId: string, header: TrialHeader | undefined): void {
      headers.set(trackId, header ?? UNKNOWN);
    },

    tagOf: (trackId: string): string => (headers.get(trackId) ?? UNKNOWN).tag,

    /** @returns null when the track has no explicit end that counts, or when that has been folded. */
    endAhead(trackId: string): TrialHeader["end"] {
      const { end } = headers.get(trackId) ?? UNKNOWN;
      return end === null || end.time >= to || ended.has(trackId) ? null : end;
    },

    noteEnd(trackId: string): void {
      ended.add(trackId);
    },

    /** Forgets all tracks for which `isNeeded` is false. */
    keep(isNeeded: (trackId: string) => boolean): void {
      for (const trackId of headers.keys()) {
        if (isNeeded(trackId)) continue;
        headers.delete(trackId);
        ended.delete(trackId);
      }
    },
  };
}

// tracks_unsettled_v2: the tracks that may have no end, or one long after their start.
import type { TrackChange } from "./rows/track-changes.ts";
import { createTable } from "./table.ts";

/** A track that ended within this time after its start is settled. */
export const SETTLED_SPAN_MS = 600_000;

/** Every write about a track marks it as not settled. */
export const unsettledTable = createTable<TrackChange>("tracks_unsettled_v2", {
  data_source_id: { from: (change) => change.dataSourceId },
  track_id: { from: (change) => change.trackId },
  own_start: { from: ownStart },
});

/** As the projection by_start of tracks_v1 has it. */
function ownStart({ start: [rank, start], first, last, createdAt }: TrackChange): number {
  if (rank > 0) return start;
  return last >= first ? first : createdAt;
}

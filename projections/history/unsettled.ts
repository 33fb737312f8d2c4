// tracks_unsettled_v1: the tracks that may have no end, or one long after their start.
import type { TrackChange } from "./rows/track-changes.ts";
import { createTable } from "./table.ts";

/** A track that ended within this time after its start is settled. */
export const SETTLED_SPAN_MS = 600_000;

export const unsettledTable = createTable<Pick<TrackChange, "dataSourceId" | "trackId">>("tracks_unsettled_v1", {
  data_source_id: { from: (change) => change.dataSourceId },
  track_id: { from: (change) => change.trackId },
});

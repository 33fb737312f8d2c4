// The table tracks_unsettled_v3: the keys of tracks that may have no end, or an end long after their start.
import { createTable } from "./table.ts";

/** A track that ended within this time after its start is settled. */
export const SETTLED_SPAN_MS = 600_000;

/**
 * The end, in milliseconds, that the table has for a track without an end, or for one that changed since it was settled
 * last.
 */
export const NO_END_MS = Date.UTC(2299, 11, 31, 23, 59, 59, 999);

/** Every write to tracks_v1 also writes the track's key here, because the write may have changed its end. */
export const unsettledTable = createTable<{ readonly dataSourceId: string; readonly trackId: string }>(
  "tracks_unsettled_v3",
  {
    data_source_id: { from: ({ dataSourceId }) => dataSourceId },
    track_id: { from: ({ trackId }) => trackId },
  },
);

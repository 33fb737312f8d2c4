// tracks_unsettled_v3: the tracks that may have no end, or one long after their start.
import { createTable } from "./table.ts";

/** A track that ended within this time after its start is settled. */
export const SETTLED_SPAN_MS = 600_000;

/** What the table has for a track that has no end or has changed since, milliseconds. */
export const NO_END_MS = Date.UTC(2299, 11, 31, 23, 59, 59, 999);

/** Every write about a track marks it as not settled. */
export const unsettledTable = createTable<{ readonly dataSourceId: string; readonly trackId: string }>(
  "tracks_unsettled_v3",
  {
    data_source_id: { from: ({ dataSourceId }) => dataSourceId },
    track_id: { from: ({ trackId }) => trackId },
  },
);

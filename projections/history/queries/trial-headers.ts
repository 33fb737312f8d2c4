// The headers of tracks for trials of zones.
import { offsetOfRank } from "../../rank.ts";
import { createParams } from "./params.ts";
import { ask, type QueryClient } from "./run.ts";

/** The parts of a track's header that a trial needs. */
export interface TrialHeader {
  /** The present tag, empty when there is none. */
  readonly tag: string;
  /** The newest explicit end, and the offset of its message. Null when there is none. */
  readonly end: { readonly time: number; readonly offset: number } | null;
}

interface HeaderRow {
  readonly track_id: string;
  readonly tag: string;
  readonly end_rank: string;
  readonly end_time: string | null;
}

/** Tracks without a header are left out. */
export async function trialHeaders(
  client: QueryClient,
  dataSourceId: string,
  trackIds: readonly string[],
): Promise<Map<string, TrialHeader>> {
  if (trackIds.length === 0) return new Map();
  const params = createParams();
  const sql = `SELECT track_id, tupleElement(max(header_tag), 2) AS tag, max(explicit_end) AS explicit,
      tupleElement(explicit, 1) AS end_rank,
      if(tupleElement(explicit, 2), toUnixTimestamp64Milli(tupleElement(explicit, 3)), NULL) AS end_time
    FROM tracks_v1
    WHERE data_source_id = ${params.bind("String", dataSourceId)} AND track_id IN ${params.bindList("String", trackIds)}
    GROUP BY track_id`;
  const rows = await ask<HeaderRow>(client, "trial headers", sql, params);
  return new Map(
    rows.map(({ track_id, tag, end_rank, end_time }) => {
      const end = end_time === null ? null : { time: Number(end_time), offset: offsetOfRank(Number(end_rank)) };
      return [track_id, { tag, end }];
    }),
  );
}

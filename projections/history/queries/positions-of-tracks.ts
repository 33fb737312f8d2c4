import { createParams } from "./params.ts";
import type { History } from "./records.ts";
import { ask } from "./run.ts";

/** The detections of a track that lie before an offset of its partition. */
export interface TrackUpTo {
  readonly trackId: string;
  readonly dataSourceId: string;
  readonly partition: number;
  readonly since: number;
}

/** Most positions of one track, the newest ones; more would not fit into the caller's memory. */
const MAX_POSITIONS = 100_000;

/** The distinct positions by track id, in flat pairs, longitude first. Leaves out tracks without any. */
export async function positionsOfTracks(
  client: History["client"],
  tracks: readonly TrackUpTo[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  if (tracks.length === 0) return new Map();
  const params = createParams();
  const ids = params.bind(
    "Array(String)",
    tracks.map(({ trackId }) => trackId),
  );
  const sources = params.bind("Array(String)", [...new Set(tracks.map(({ dataSourceId }) => dataSourceId))]);
  const ofTrack = (type: string, values: readonly number[]) =>
    `transform(track_id, ${ids}, ${params.bind(`Array(${type})`, values)}, to${type}(0))`;
  const partition = ofTrack(
    "UInt16",
    tracks.map((track) => track.partition),
  );
  const since = ofTrack(
    "UInt64",
    tracks.map((track) => track.since),
  );
  // Rows of another partition were written when the topic had fewer partitions.
  const newest = `SELECT track_id, [assumeNotNull(longitude), assumeNotNull(latitude)] AS pair FROM detections_v1 FINAL
    WHERE data_source_id IN ${sources} AND track_id IN ${ids} AND longitude IS NOT NULL AND latitude IS NOT NULL
      AND (offset < ${since} OR partition != ${partition})
    GROUP BY track_id, pair ORDER BY max(timestamp) DESC LIMIT ${MAX_POSITIONS} BY track_id`;
  const sql = `SELECT track_id, groupArray(pair) AS pairs FROM (${newest}) GROUP BY track_id`;
  const rows = await ask<{ track_id: string; pairs: number[][] }>(client, "positions of tracks", sql, params);
  return new Map(rows.map(({ track_id, pairs }) => [track_id, pairs.flat()]));
}

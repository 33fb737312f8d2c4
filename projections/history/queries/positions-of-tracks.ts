import { all } from "../../filters/sql/sql.ts";
import { createParams } from "./params.ts";
import type { History } from "./records.ts";
import { ask } from "./run.ts";
import { isOfTracks, trackKeyOf } from "./track-refs.ts";

/** Selects the detections of a track that lie before an offset of its partition. */
export interface TrackUpTo {
  readonly trackId: string;
  readonly dataSourceId: string;
  readonly partition: number;
  readonly since: number;
}

/** The key that `trackKeyOf` returns, in SQL. */
const KEY = "concat(data_source_id, char(0), track_id)";

/** The maximum number of positions of one track, the newest ones. More would not fit into the caller's memory. */
const MAX_POSITIONS = 100_000;

/**
 * Returns the distinct positions by the key of the track, as flat pairs of longitude and latitude in degrees. Tracks
 * without positions are left out.
 */
export async function positionsOfTracks(
  client: History["client"],
  tracks: readonly TrackUpTo[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  if (tracks.length === 0) return new Map();
  const params = createParams();
  const keys = params.bind("Array(String)", tracks.map(trackKeyOf));
  const ofTrack = (type: string, values: readonly number[]) =>
    `transform(${KEY}, ${keys}, ${params.bind(`Array(${type})`, values)}, to${type}(0))`;
  const partition = ofTrack(
    "UInt16",
    tracks.map((track) => track.partition),
  );
  const since = ofTrack(
    "UInt64",
    tracks.map((track) => track.since),
  );
  // A row of another partition is older than `since`, because the topic then had fewer partitions. So it counts, too.
  const newest = `SELECT ${KEY} AS key, [assumeNotNull(longitude), assumeNotNull(latitude)] AS pair FROM detections_v1 FINAL
    WHERE ${all(isOfTracks(params, tracks))} AND has(${keys}, ${KEY}) AND longitude IS NOT NULL AND latitude IS NOT NULL
      AND (offset < ${since} OR partition != ${partition})
    GROUP BY key, pair ORDER BY max(timestamp) DESC LIMIT ${MAX_POSITIONS} BY key`;
  const sql = `SELECT key, groupArray(pair) AS pairs FROM (${newest}) GROUP BY key`;
  const rows = await ask<{ key: string; pairs: number[][] }>(client, "positions of tracks", sql, params);
  return new Map(rows.map(({ key, pairs }) => [key, pairs.flat()]));
}

// Tracks of several data sources in one query. Data sources may give tracks the same id.
import { bindTime, given, type Params } from "../../filters/sql/sql.ts";
import type { TrackRef } from "./records.ts";

export const trackKeyOf = ({ dataSourceId, trackId }: TrackRef): string => `${dataSourceId}\u0000${trackId}`;

/**
 * Returns conditions on the key. Of several data sources, tracks with the same ids at each of them fulfil the
 * conditions too.
 */
export function isOfTracks(params: Params, tracks: readonly TrackRef[]): string[] {
  const sources = [...new Set(tracks.map(({ dataSourceId }) => dataSourceId))];
  const trackIds = [...new Set(tracks.map(({ trackId }) => trackId))];
  return [
    `data_source_id IN ${params.bindList("String", sources)}`,
    `track_id IN ${params.bindList("String", trackIds)}`,
  ];
}

/**
 * Returns conditions on the time of a detection: it lies between the first and the last detection of all these tracks.
 * There are none when these times are not all known. `marginMs` widens the range for other topics about the tracks,
 * which may be read further than the camera-log.
 */
export function isSeen(params: Params, column: string, tracks: readonly TrackRef[], marginMs = 0): string[] {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const { firstDetectionAt, lastDetectionAt } of tracks) {
    if (!given(firstDetectionAt) || !given(lastDetectionAt)) return [];
    from = Math.min(from, firstDetectionAt);
    to = Math.max(to, lastDetectionAt);
  }
  const [first, last] = [bindTime(params, from - marginMs), bindTime(params, to + marginMs)];
  return [`${column} >= ${first}`, `${column} <= ${last}`];
}

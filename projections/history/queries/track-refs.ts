// Tracks of several data sources in one question. Data sources may give tracks the same id.
import { bindTime, given, type Params } from "../../filters/sql/sql.ts";
import type { TrackRef } from "./records.ts";

export const trackKeyOf = ({ dataSourceId, trackId }: TrackRef): string => `${dataSourceId}\u0000${trackId}`;

/** Key conditions. Twins of the tracks in the other data sources meet them, too. */
export function isOfTracks(params: Params, tracks: readonly TrackRef[]): string[] {
  const sources = [...new Set(tracks.map(({ dataSourceId }) => dataSourceId))];
  const trackIds = [...new Set(tracks.map(({ trackId }) => trackId))];
  return [
    `data_source_id IN ${params.bindList("String", sources)}`,
    `track_id IN ${params.bindList("String", trackIds)}`,
  ];
}

/**
 * Conditions on the time of a detection: within the tracks' detections, if the first and last are known of all tracks.
 * `marginMs`: for what other topics tell of the tracks, because they may be further on in their log.
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

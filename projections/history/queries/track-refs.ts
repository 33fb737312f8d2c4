// Tracks of several data sources in one question. Data sources may give tracks the same id.
import type { Params } from "../../filters/sql/sql.ts";
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

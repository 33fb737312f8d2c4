// The table tracks_v1 has the partial rows of a track from parts of the log; the view tracks_current_v1 folds them.
import type { TrackProperties } from "../../schemas/events.ts";
import type { TrackRecord } from "./queries/records.ts";
import type { TrackChange } from "./rows/track-changes.ts";
import {
  createReader,
  createTable,
  textColumn,
  textOrNullColumn,
  timeColumn,
  timeOrNullColumn,
  type WireRow,
} from "./table.ts";

const isSeen = ({ first, last }: TrackChange): boolean => last >= first;

export const tracksTable = createTable<TrackChange>("tracks_v1", {
  data_source_id: { from: (change) => change.dataSourceId },
  track_id: { from: (change) => change.trackId },
  header_tag: { from: (change) => change.tag },
  header_start: { from: (change) => change.start },
  explicit_end: { from: (change) => change.explicitEnd },
  expired_end: { from: (change) => change.expiredEnd },
  header_model_id: { from: (change) => change.modelId },
  header_properties: { from: (change) => change.properties },
  header_metadata: { from: (change) => change.metadata },
  first_detection_at: { from: (change) => (isSeen(change) ? change.first : null) },
  last_detection_at: { from: (change) => (isSeen(change) ? change.last : null) },
  created_at: { from: (change) => change.createdAt },
  updated_at: { from: (change) => change.updatedAt },
  partition: { from: (change) => change.partition },
  last_offset: { from: (change) => change.lastOffset },
});

const reader = createReader({
  track_id: { read: textColumn },
  data_source_id: { read: textColumn },
  tag: { read: textColumn },
  start_time: { read: timeColumn },
  end_time: { read: timeOrNullColumn },
  model_id: { read: textOrNullColumn },
  properties: { read: textOrNullColumn },
  metadata: { read: textOrNullColumn },
  first_detection_at: { read: timeOrNullColumn },
  last_detection_at: { read: timeOrNullColumn },
});

/** The text between SELECT and FROM, with the columns of tracks_current_v1. */
export const trackSelect = reader.select;

export function trackRecord(wire: WireRow): TrackRecord {
  const row = reader.read(wire);
  return {
    trackId: row.track_id,
    dataSourceId: row.data_source_id,
    tag: row.tag,
    startTime: row.start_time,
    endTime: row.end_time,
    modelId: row.model_id,
    properties: row.properties === null ? null : (JSON.parse(row.properties) as TrackProperties),
    metadata: row.metadata,
    firstDetectionAt: row.first_detection_at,
    lastDetectionAt: row.last_detection_at,
  };
}

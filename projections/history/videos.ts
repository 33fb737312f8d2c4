// videos_v1: partial rows from stretches of the log; the view videos_current_v1 folds them.
import type { Typed } from "../../schemas/events.ts";
import type { HistoryKind, KindRows } from "./kind.ts";
import type { VideoRecord } from "./queries/records.ts";
import { createVideoChanges, saidOf, type VideoChange } from "./rows/video-changes.ts";
import { createReader, createTable, numberOrNull, text, textOrNull, time, timeOrNull, type WireRow } from "./table.ts";

export const videosTable = createTable<VideoChange>("videos_v1", {
  data_source_id: { from: (change) => change.dataSourceId },
  video_id: { from: (change) => change.id },
  created: { from: (change) => change.created },
  set_start_time: { from: (change) => saidOf(change, "startTime") },
  set_end_time: { from: (change) => saidOf(change, "endTime") },
  set_path: { from: (change) => saidOf(change, "path") },
  set_thumbnail_path: { from: (change) => saidOf(change, "thumbnailPath") },
  set_display_name: { from: (change) => saidOf(change, "displayName") },
  set_frame_rate: { from: (change) => saidOf(change, "frameRate") },
  set_resolution_height: { from: (change) => saidOf(change, "resolutionHeight") },
  set_resolution_width: { from: (change) => saidOf(change, "resolutionWidth") },
});

export const videos: HistoryKind<"videos"> = {
  topic: "videos",
  rankedBy: "videos",
  tables: [videosTable],
  // Kept as long as the topic: the media themselves are another's to delete.
  byMonth: [],
  createRows,
};

function createRows(): KindRows<Typed<"VideoChanged">> {
  const changes = createVideoChanges();
  let events = 0;
  return {
    add({ event }, recorded) {
      events += 1;
      changes.changed(event, recorded);
    },
    /** There is at most one row for each event. */
    size: () => events,
    byTable: () => [{ table: videosTable, rows: changes.changes().map(videosTable.row) }],
  };
}

const reader = createReader({
  video_id: { read: text },
  data_source_id: { read: text },
  start_time: { read: time },
  end_time: { read: timeOrNull },
  path: { read: text },
  thumbnail_path: { read: textOrNull },
  display_name: { read: textOrNull },
  frame_rate: { read: numberOrNull },
  resolution_height: { read: textOrNull },
  resolution_width: { read: textOrNull },
});

/** Over the columns of videos_current_v1. */
export const videoSelect = reader.select;

export function videoRecord(wire: WireRow): VideoRecord {
  const row = reader.read(wire);
  return {
    id: row.video_id,
    dataSourceId: row.data_source_id,
    startTime: row.start_time,
    endTime: row.end_time,
    path: row.path,
    thumbnailPath: row.thumbnail_path,
    displayName: row.display_name,
    frameRate: row.frame_rate,
    resolutionHeight: row.resolution_height,
    resolutionWidth: row.resolution_width,
  };
}

// Videos: the table videos_v1 has partial rows from parts of the log; the view videos_current_v1 folds them.
import type { Typed } from "../../../schemas/events.ts";
import type { FilterVideoActivityInput, VideoFilter, VideosSort } from "../../../schemas/filters.ts";
import type { VideoChanged } from "../../../schemas/records/video-changed.ts";
import { compile } from "../../filters/compile.ts";
import type { Fields } from "../../filters/fields.ts";
import { timeField } from "../../filters/kinds/number.ts";
import { idField } from "../../filters/kinds/string.ts";
import { all, type Params } from "../../filters/sql/sql.ts";
import type { KindRows } from "../kind.ts";
import type { KeyPart, SortColumn } from "../queries/keyset.ts";
import { amongVideos, startConditions, VIDEO_KEY, VIDEO_START, VIDEOS_TABLE } from "../queries/narrow-videos.ts";
import type { PageNarrow } from "../queries/page.ts";
import type { VideoRecord } from "../queries/records.ts";
import { createVideoChanges, storedFieldOf, type VideoChange } from "../rows/video-changes.ts";
import {
  createReader,
  createTable,
  numberOrNullColumn,
  textColumn,
  textOrNullColumn,
  timeColumn,
  timeOrNullColumn,
} from "../table.ts";
import { defineRecordHistory, type RecordFeed } from "./define-record-history.ts";

const table = createTable<VideoChange>(VIDEOS_TABLE, {
  data_source_id: { from: (change) => change.dataSourceId },
  video_id: { from: (change) => change.id },
  created: { from: (change) => change.created },
  set_start_time: { from: (change) => storedFieldOf(change, "startTime") },
  set_end_time: { from: (change) => storedFieldOf(change, "endTime") },
  set_path: { from: (change) => storedFieldOf(change, "path") },
  set_thumbnail_path: { from: (change) => storedFieldOf(change, "thumbnailPath") },
  set_display_name: { from: (change) => storedFieldOf(change, "displayName") },
  set_frame_rate: { from: (change) => storedFieldOf(change, "frameRate") },
  set_resolution_height: { from: (change) => storedFieldOf(change, "resolutionHeight") },
  set_resolution_width: { from: (change) => storedFieldOf(change, "resolutionWidth") },
});

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
    byTable: () => [table.rowsOf(changes.changes())],
  };
}

/** The columns of the view. */
const reader = createReader({
  video_id: { read: textColumn },
  data_source_id: { read: textColumn },
  start_time: { read: timeColumn },
  end_time: { read: timeOrNullColumn },
  path: { read: textColumn },
  thumbnail_path: { read: textOrNullColumn },
  display_name: { read: textOrNullColumn },
  frame_rate: { read: numberOrNullColumn },
  resolution_height: { read: textOrNullColumn },
  resolution_width: { read: textOrNullColumn },
});

export const videoActivityFields: Fields<FilterVideoActivityInput, Pick<VideoRecord, "dataSourceId">> = {
  dataSourceId: idField({ value: (video) => video.dataSourceId, sql: "data_source_id", isKey: true }),
};

export const videoFields: Fields<VideoFilter, VideoRecord> = {
  ...videoActivityFields,
  id: idField({ value: (video) => video.id, sql: "video_id", isKey: true }),
  startTime: timeField({ value: (video) => video.startTime, sql: "start_time" }),
  endTime: timeField({ value: (video) => video.endTime, sql: "end_time", nullable: true }),
};

/**
 * The end by which an ongoing video is sorted, so that missing ends come last in ASC. The history holds no later
 * instant.
 */
const NO_END_MS = Date.UTC(2300, 0, 1) - 1;

const sorts: Readonly<Record<VideosSort["field"], SortColumn<VideoRecord>>> = {
  ID: { sql: "video_id", type: "String", of: ({ id }) => id },
  DATA_SOURCE_ID: { sql: "data_source_id", type: "String", of: ({ dataSourceId }) => dataSourceId },
  START_TIME: { sql: "start_time", type: "time", of: ({ startTime }) => startTime },
  END_TIME: {
    sql: "ifNull(end_time, toDateTime64('2299-12-31 23:59:59.999', 3, 'UTC'))",
    type: "time",
    of: ({ endTime }) => endTime ?? NO_END_MS,
  },
};

function narrow(params: Params, filter: VideoFilter, [lead]: readonly KeyPart[]): PageNarrow {
  const { id, dataSourceId } = filter;
  const ofKey = compile(videoFields, { id, dataSourceId }, { params, dataSourceIds: () => [] });
  const condition = all([ofKey, ...startConditions(params, filter)]);
  const index = { table: VIDEOS_TABLE, lead: VIDEO_START, condition };
  return {
    columns: VIDEO_KEY,
    index: lead?.sql === sorts.START_TIME.sql ? index : undefined,
    among: amongVideos(condition),
  };
}

/** The subscription sends each newly created video. */
const feed: RecordFeed<VideoChanged, VideoRecord, FilterVideoActivityInput> = {
  field: "videoActivity",
  filter: videoActivityFields,
  idOf: ({ dataSourceId, id }) => `${dataSourceId} ${id}`,
  show({ id, dataSourceId, change, set }) {
    const { startTime, path } = set;
    if (change !== "created" || startTime === null || path === null) return undefined;
    return { ...set, id, dataSourceId, startTime, path };
  },
  dataSourceOf: ({ dataSourceId }) => dataSourceId,
};

export const videoHistory = defineRecordHistory<"videos", VideoRecord, VideoFilter, VideosSort["field"]>({
  topic: "videos",
  rankedBy: "videos",
  tables: [table],
  // Videos are kept as long as the topic, because another system deletes the media.
  byMonth: [],
  createRows,
  from: "videos_current_v1",
  select: reader.select,
  toRecord(wire) {
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
  },
  narrow,
  filter: videoFields,
  sorts,
  identity: ["ID", "DATA_SOURCE_ID"],
  // When two data sources have a video with one id, the one that the log recorded first is returned.
  oneOfId: "ORDER BY created_at, data_source_id LIMIT 1 BY video_id",
  feed,
});

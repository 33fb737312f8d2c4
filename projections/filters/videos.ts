import type { FilterVideoActivityInput, FilterVideoInput } from "../../schemas/filters.ts";
import type { VideoRecord } from "../history/queries/records.ts";
import type { Fields } from "./fields.ts";
import { time } from "./kinds/number.ts";
import { id } from "./kinds/string.ts";

export const videoActivityFields: Fields<FilterVideoActivityInput, Pick<VideoRecord, "dataSourceId">> = {
  dataSourceId: id({ value: (video) => video.dataSourceId, sql: "data_source_id", isKey: true }),
};

/** The SQL is over the columns of videos_current_v1. */
export const videoFields: Fields<FilterVideoInput, VideoRecord> = {
  ...videoActivityFields,
  id: id({ value: (video) => video.id, sql: "video_id", isKey: true }),
  startTime: time({ value: (video) => video.startTime, sql: "start_time" }),
  endTime: time({ value: (video) => video.endTime, sql: "end_time", nullable: true }),
};

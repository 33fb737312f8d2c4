import type { FilterVideoInput, VideosSort } from "../../../schemas/filters.ts";
import { compile } from "../../filters/compile.ts";
import { all, bindTime, given, type Params } from "../../filters/sql/sql.ts";
import { videoFields } from "../../filters/videos.ts";
import type { WireRow } from "../table.ts";
import { videoRecord, videoSelect, videosTable } from "../videos.ts";
import { type KeyColumn, sortKey } from "./keyset.ts";
import { type Kind, page } from "./page.ts";
import { createParams } from "./params.ts";
import type { History, Page, PageRequest, VideoRecord } from "./records.ts";
import { type Asked, ask, askCount } from "./run.ts";

export const VIDEO_KEY = "data_source_id, video_id";
/** As the projection of the table has it. */
export const OWN_START = "if(set_start_time.1 > 0, set_start_time.2, toDateTime64('1900-01-01 00:00:00', 3, 'UTC'))";
/** The end of an ongoing video, for sorting: missing values come last in ASC. The history holds no later instant. */
const NO_END_MS = Date.UTC(2300, 0, 1) - 1;

const id: KeyColumn = { sql: "video_id", type: "String" };
const dataSourceId: KeyColumn = { sql: "data_source_id", type: "String" };
const startTime: KeyColumn = { sql: "start_time", type: "time" };
const endTime: KeyColumn = { sql: "ifNull(end_time, toDateTime64('2299-12-31 23:59:59.999', 3, 'UTC'))", type: "time" };
const columns = { ID: id, DATA_SOURCE_ID: dataSourceId, START_TIME: startTime, END_TIME: endTime };

const videos: Kind<VideoRecord> = {
  name: "videos page",
  from: "videos_current_v1",
  select: videoSelect,
  toRecord: videoRecord,
  keyOf(video, column) {
    if (column === startTime.sql) return video.startTime;
    if (column === endTime.sql) return video.endTime ?? NO_END_MS;
    return column === id.sql ? video.id : video.dataSourceId;
  },
};

export function videosPage(
  { client, dataSourceIds }: History,
  request: PageRequest<FilterVideoInput, VideosSort>,
): Promise<Page<VideoRecord>> {
  const key = sortKey(request.sort, columns, [id, dataSourceId]);
  const narrow = (params: Params) => {
    const condition = rowCondition(params, request.filter);
    const index = { table: videosTable.name, lead: OWN_START, condition };
    return {
      columns: VIDEO_KEY,
      index: key[0]?.sql === startTime.sql ? index : undefined,
      among: among(condition),
    };
  };
  return page(client, { ...videos, narrow }, request, key, (params, filter) =>
    compile(videoFields, filter, { params, dataSourceIds }),
  );
}

export function videosCount({ client, dataSourceIds }: History, filter: FilterVideoInput): Promise<number> {
  const params = createParams();
  const conditions = [compile(videoFields, filter, { params, dataSourceIds }), among(rowCondition(params, filter))];
  return askCount(client, "videos count", videos.from, all(conditions), params);
}

/** By id, in no particular order; unknown ids are left out. Of two data sources' videos the one that the log recorded first counts. */
export async function videosByIds(client: Asked, ids: readonly string[]): Promise<VideoRecord[]> {
  if (ids.length === 0) return [];
  const params = createParams();
  const sql = `SELECT ${videos.select} FROM ${videos.from} WHERE video_id IN ${params.bindList("String", ids)}
    ORDER BY created_at, data_source_id LIMIT 1 BY video_id`;
  return (await ask<WireRow>(client, "videos by ids", sql, params)).map(videos.toRecord);
}

/** What a row of videos_v1 must fulfil for its video to fulfil the filter: conditions on the key, and on the start. */
function rowCondition(params: Params, filter: FilterVideoInput): string {
  const { id: ids, dataSourceId: sources } = filter;
  const ofKey = compile(videoFields, { id: ids, dataSourceId: sources }, { params, dataSourceIds: () => [] });
  const { from, to } = startRange(filter);
  const conditions = [ofKey];
  if (from !== undefined) conditions.push(`${OWN_START} >= ${bindTime(params, from)}`);
  if (to !== undefined) conditions.push(`${OWN_START} <= ${bindTime(params, to)}`);
  return all(conditions);
}

/** The row that decides the start of its video is among the chosen ones, merged or not; the view judges the video. */
const among = (condition: string): string =>
  `(${VIDEO_KEY}) IN (SELECT ${VIDEO_KEY} FROM ${videosTable.name} WHERE ${condition})`;

interface Range {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The range in which the filter's videos start; closed, an end that is missing is open. */
function startRange({ startTime: start, and }: FilterVideoInput): Range {
  const ranges: Range[] = (and ?? []).map(startRange);
  if (given(start?.eq)) ranges.push({ from: start.eq, to: start.eq });
  const [from, to] = start?.between ?? [];
  ranges.push({ from, to });
  return {
    from: extreme(
      Math.max,
      ranges.map((range) => range.from),
    ),
    to: extreme(
      Math.min,
      ranges.map((range) => range.to),
    ),
  };
}

function extreme(pick: (...values: number[]) => number, values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : pick(...known);
}

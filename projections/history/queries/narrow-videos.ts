// The conditions by which queries of videos read few of the partial rows in videos_v1.
import type { VideoFilter } from "../../../schemas/filters.ts";
import { bindTime, given, type Params } from "../../filters/sql/sql.ts";

export const VIDEOS_TABLE = "videos_v1";
export const VIDEO_KEY = "data_source_id, video_id";
/** The expression by which the table's projection is sorted. */
export const VIDEO_START = "if(set_start_time.1 > 0, set_start_time.2, toDateTime64('1900-01-01 00:00:00', 3, 'UTC'))";

/**
 * Selects the videos of which some row fulfils the condition, whether ClickHouse has merged the rows or not.
 * `condition` must hold for the rows that decide the starts of the filter's videos. The view tests the videos exactly.
 */
export const amongVideos = (condition: string): string =>
  `(${VIDEO_KEY}) IN (SELECT ${VIDEO_KEY} FROM ${VIDEOS_TABLE} WHERE ${condition})`;

/** The conditions on the start that a row of videos_v1 fulfils when its video fulfils the filter. */
export function startConditions(params: Params, filter: VideoFilter): string[] {
  const { from, to } = startRange(filter);
  const conditions: string[] = [];
  if (from !== undefined) conditions.push(`${VIDEO_START} >= ${bindTime(params, from)}`);
  if (to !== undefined) conditions.push(`${VIDEO_START} <= ${bindTime(params, to)}`);
  return conditions;
}

interface StartRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The range in which the filter's videos start. It includes both ends; a missing end is open. */
function startRange({ startTime: start, and }: VideoFilter): StartRange {
  const ranges: StartRange[] = (and ?? []).map(startRange);
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

// videosSummary
import type { FilterVideosSummaryInput, VideosSummaryBucketField } from "../../schemas/graphql/inputs.ts";
import { compile } from "../filters/compile.ts";
import { id } from "../filters/kinds/string.ts";
import { all, type Params } from "../filters/sql/sql.ts";
import { createParams } from "../history/queries/params.ts";
import type { VideoRecord } from "../history/queries/records.ts";
import { OWN_START, VIDEO_KEY } from "../history/queries/videos.ts";
import { videosTable } from "../history/videos.ts";
import type { Dimension } from "./dimensions.ts";
import type { SummaryKind } from "./kind.ts";
import { type Periods, summarizePeriods } from "./periods.ts";
import { dataSource } from "./related.ts";
import type { Question } from "./shape.ts";

/** As the projection by_end of the table has it; milliseconds, 0 = none. */
const OWN_END = "(set_end_time.2 IS NOT NULL) * toUnixTimestamp64Milli(assumeNotNull(set_end_time.2))";

const periods: Periods = { name: "videos summary", from: "videos_current_v1", start: "start_time", end: "end_time" };

const dimensions: Readonly<Record<VideosSummaryBucketField, Dimension>> = { DATA_SOURCE_ID: dataSource("dataSource") };

const fields = {
  dataSourceId: id({ value: ({ dataSourceId }: VideoRecord) => dataSourceId, sql: "data_source_id", isKey: true }),
};

export const videosSummary: SummaryKind<FilterVideosSummaryInput> = {
  dimensions,
  summarize({ client, filter, question, ...known }) {
    const params = createParams();
    const ofKey = compile(fields, filter, { params, dataSourceIds: () => [] });
    const conditions = [ofKey, among(params, question, ofKey)];
    return summarizePeriods(periods, { client, params, known, conditions }, question);
  },
};

/**
 * Fulfilled by all videos that count, and judged by their keys. The row that decides the start of a video says this start, and the row
 * that decides its end says this end or that there is none, merged or not. By their starts the store skips no rows, but reads few columns.
 */
function among(params: Params, { range, strategy }: Question<unknown>, ofKey: string): string {
  const [from, to] = [params.bind("Int64", range.from), params.bind("Int64", range.to)];
  const conditions = {
    ACTIVE: [`${OWN_END} >= ${from} OR ${OWN_END} = 0`],
    STARTED: [
      `${OWN_START} >= fromUnixTimestamp64Milli(${from}, 'UTC')`,
      `${OWN_START} < fromUnixTimestamp64Milli(${to}, 'UTC')`,
    ],
    ENDED: [`${OWN_END} >= ${from}`, `${OWN_END} < ${to}`],
  };
  return `(${VIDEO_KEY}) IN (SELECT ${VIDEO_KEY} FROM ${videosTable.name} WHERE ${all([ofKey, ...conditions[strategy]])})`;
}

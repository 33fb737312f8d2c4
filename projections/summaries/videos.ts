// The query videosSummary.
import type { FilterVideosSummaryInput, VideosSummaryBucketField } from "../../schemas/graphql/inputs.ts";
import { compile } from "../filters/compile.ts";
import { idField } from "../filters/kinds/string.ts";
import { all, type Params } from "../filters/sql/sql.ts";
import { amongVideos, VIDEO_START } from "../history/queries/narrow-videos.ts";
import { createParams } from "../history/queries/params.ts";
import type { VideoRecord } from "../history/queries/records.ts";
import type { Dimension } from "./dimensions.ts";
import type { SummaryKind } from "./kind.ts";
import { type Periods, summarizePeriods } from "./periods.ts";
import { dataSourceDimension } from "./related.ts";
import type { SummaryQuestion } from "./shape.ts";

/** The expression by which the table's projection by_end is sorted: the end in milliseconds, 0 when there is none. */
const OWN_END = "(set_end_time.2 IS NOT NULL) * toUnixTimestamp64Milli(assumeNotNull(set_end_time.2))";

const periods: Periods = { name: "videos summary", from: "videos_current_v1", start: "start_time", end: "end_time" };

const dimensions: Readonly<Record<VideosSummaryBucketField, Dimension>> = {
  DATA_SOURCE_ID: dataSourceDimension("dataSource"),
};

const fields = {
  dataSourceId: idField({ value: ({ dataSourceId }: VideoRecord) => dataSourceId, sql: "data_source_id", isKey: true }),
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
 * Returns a condition on keys that all counted videos fulfil. Whether ClickHouse has merged the rows or not, the row
 * that decides the start of a video contains this start, and the row that decides its end contains this end or none.
 * For starts, ClickHouse skips no rows, but it then reads few columns.
 */
function among(params: Params, { range, strategy }: SummaryQuestion<unknown>, ofKey: string): string {
  const [from, to] = [params.bind("Int64", range.from), params.bind("Int64", range.to)];
  const conditions = {
    ACTIVE: [`${OWN_END} >= ${from} OR ${OWN_END} = 0`],
    STARTED: [
      `${VIDEO_START} >= fromUnixTimestamp64Milli(${from}, 'UTC')`,
      `${VIDEO_START} < fromUnixTimestamp64Milli(${to}, 'UTC')`,
    ],
    ENDED: [`${OWN_END} >= ${from}`, `${OWN_END} < ${to}`],
  };
  return amongVideos(all([ofKey, ...conditions[strategy]]));
}

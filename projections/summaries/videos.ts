// videosSummary
import type { FilterVideosSummaryInput, VideosSummaryBucketField } from "../../schemas/graphql/inputs.ts";
import { compile } from "../filters/compile.ts";
import { id } from "../filters/kinds/string.ts";
import { createParams } from "../history/queries/params.ts";
import type { VideoRecord } from "../history/queries/records.ts";
import type { Dimension } from "./dimensions.ts";
import type { SummaryKind } from "./kind.ts";
import { type Periods, summarizePeriods } from "./periods.ts";
import { dataSource } from "./related.ts";

const periods: Periods = { name: "videos summary", from: "videos_current_v1", start: "start_time", end: "end_time" };

const dimensions: Readonly<Record<VideosSummaryBucketField, Dimension>> = { DATA_SOURCE_ID: dataSource("dataSource") };

const fields = {
  dataSourceId: id({ value: ({ dataSourceId }: VideoRecord) => dataSourceId, sql: "data_source_id", isKey: true }),
};

export const videosSummary: SummaryKind<FilterVideosSummaryInput> = {
  dimensions,
  summarize({ client, filter, question, ...known }) {
    const params = createParams();
    const conditions = [compile(fields, filter, { params, dataSourceIds: () => [] })];
    return summarizePeriods(periods, { client, params, known, conditions }, question);
  },
};

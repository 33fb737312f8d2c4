// The query tracksSummary.
import type { FilterTracksSummaryInput, TracksSummaryBucketField } from "../../schemas/graphql/inputs.ts";
import { compile } from "../filters/compile.ts";
import { createParams } from "../history/queries/params.ts";
import { amongCandidates, areMost } from "../history/queries/track-candidates.ts";
import { type Dimension, tagDimension } from "./dimensions.ts";
import type { SummaryKind } from "./kind.ts";
import { type Periods, summarizePeriods } from "./periods.ts";
import { dataSourceDimension, pointOfInterestDimension, related, siteDimension } from "./related.ts";
import { timeRangeOf } from "./shape.ts";

const periods: Periods = {
  name: "tracks summary",
  from: "tracks_current_v1",
  start: "start_time",
  end: "end_time",
};

const dimensions: Readonly<Record<TracksSummaryBucketField, Dimension>> = {
  TAG: tagDimension,
  DATA_SOURCE_ID: dataSourceDimension("dataSource"),
  DATA_SOURCE_SITE: siteDimension("dataSourceSite"),
  DATA_SOURCE_POINT_OF_INTEREST: pointOfInterestDimension("dataSourcePointOfInterest"),
};

/** Only the filter in memory has members like `or`: GraphQL does not offer them here. */
export const tracksSummaryKind: SummaryKind<FilterTracksSummaryInput> = {
  dimensions,
  async summarize({ client, dataSourceIds, filter, question, ...known }) {
    const params = createParams();
    const conditions = [compile(related, filter, { params, dataSourceIds })];
    const ofRange = { timeRange: timeRangeOf(question) };
    const candidates = (await areMost(client, ofRange)) ? undefined : amongCandidates(params, ofRange);
    if (candidates !== undefined) conditions.push(candidates);
    return summarizePeriods(periods, { client, params, known, conditions }, question);
  },
};

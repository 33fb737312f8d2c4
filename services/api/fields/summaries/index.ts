import { activitiesSummary } from "../../../../projections/summaries/activities.ts";
import { detectionsSummary } from "../../../../projections/summaries/detections.ts";
import { deviceDimensions, summarizeDevices } from "../../../../projections/summaries/devices.ts";
import { intersectionsSummary } from "../../../../projections/summaries/intersections.ts";
import { videosSummary } from "../../../../projections/summaries/videos.ts";
import type { FilterDeviceSummaryInput } from "../../../../schemas/graphql/inputs.ts";
import { eventsSummary } from "./events-summary.ts";
import { ofHistory } from "./of-history.ts";
import { summaryField } from "./summary-field.ts";
import { tracksSummary } from "./tracks-summary.ts";

/** Root fields of Query that summarize. */
export const summaries = {
  tracksSummary,
  eventsSummary,
  detectionsSummary: summaryField(
    ofHistory("detectionsBucket", detectionsSummary, ({ historyReached }) => historyReached()),
  ),
  zoneIntersectionSummary: summaryField(
    ofHistory("zoneIntersectionBucket", intersectionsSummary, ({ intersectionsReached, zonesReached }) =>
      Promise.all([intersectionsReached(), zonesReached()]),
    ),
  ),
  videosSummary: summaryField(
    ofHistory("videosBucket", videosSummary, ({ historyReached }) => historyReached("videos")),
  ),
  activityChronicleSummary: summaryField(
    ofHistory("activityChronicleBucket", activitiesSummary, ({ historyReached }) => historyReached("chronicles")),
  ),
  deviceSummary: summaryField({
    bucket: "deviceBucket",
    dimensions: deviceDimensions,
    async summarize({ catalog, catalogReached, walk }, filter: FilterDeviceSummaryInput, question) {
      await catalogReached();
      return summarizeDevices(catalog, filter, question, walk);
    },
  }),
};

interface Referred {
  readonly id: string;
}

interface WithDataSource {
  readonly dataSource?: Referred | null;
}

interface WithEventProducer {
  readonly eventProducer?: Referred | null;
}

/** Resolvers of deprecated members of bucket keys. */
export const summaryTypes = {
  EventsSummaryBucketKey: { eventProducerId: ({ eventProducer }: WithEventProducer) => eventProducer?.id ?? null },
  VideosSummaryBucketKey: { dataSourceId: ({ dataSource }: WithDataSource) => dataSource?.id ?? null },
};

// The query zoneIntersectionSummary: the stays of tracks in zones.
import type {
  FilterZoneIntersectionSummaryInput,
  ZoneIntersectionSummaryBucketField,
} from "../../schemas/graphql/inputs.ts";
import { compileApart } from "../filters/compile-apart.ts";
import { idField } from "../filters/kinds/string.ts";
import { CURRENT_TAG, withCurrentTag } from "../filters/sql/current-tag.ts";
import { intersectionsTable } from "../history/intersections.ts";
import { areMany } from "../history/queries/many-rows.ts";
import { createParams } from "../history/queries/params.ts";
import type { IntersectionRecord } from "../history/queries/records.ts";
import { type Dimension, mapped, tagIn } from "./dimensions.ts";
import type { SummaryKind } from "./kind.ts";
import { inRange, type Periods, summarizePeriods } from "./periods.ts";
import { dataSourceDimension, tagIdIn } from "./related.ts";

const KEY = "zone_id, start_time, intersection_id";
/** The expression by which the table's projection by_end is sorted: the end in milliseconds, 0 when there is none. */
const OWN_END = "(end_time IS NOT NULL) * toUnixTimestamp64Milli(assumeNotNull(end_time))";

/** The present tag of the track. */
const TAG = `lowerUTF8(${CURRENT_TAG})`;

const periods: Periods = {
  name: "zone intersections summary",
  from: `${intersectionsTable.name} FINAL`,
  start: "start_time",
  end: "end_time",
  // An intersection that lasts has at least one row with its end, or without an end.
  lasting: (instant) => `(${KEY}) IN (
    SELECT ${KEY} FROM ${intersectionsTable.name}
    WHERE (${OWN_END} >= toUnixTimestamp64Milli(${instant}) OR ${OWN_END} = 0) AND start_time < ${instant})`,
};

const byTag = tagIn(TAG);

const dimensions: Readonly<Record<ZoneIntersectionSummaryBucketField, Dimension>> = {
  // Zones of the same name share one bucket.
  ZONE_NAME: {
    member: "zoneName",
    sql: (params, { zones }) =>
      mapped(
        params,
        "zone_id",
        [...zones.zonesEver()].map(({ zoneId, name }) => [zoneId, name] as const),
      ),
  },
  TAG: byTag,
  DATA_SOURCE: dataSourceDimension("dataSource"),
};

export const intersectionsSummary: SummaryKind<FilterZoneIntersectionSummaryInput> = {
  dimensions,
  async summarize({ client, filter, question, ...known }) {
    const params = createParams();
    const fields = {
      zoneId: idField({ value: ({ zoneId }: IntersectionRecord) => zoneId, sql: "zone_id" }),
      dataSourceId: idField({ value: ({ dataSourceId }: IntersectionRecord) => dataSourceId, sql: "data_source_id" }),
      classId: tagIdIn(TAG),
    };
    const { before, behind } = compileApart(fields, "classId", filter, { params, dataSourceIds: () => [] });
    const isByTag = behind.length > 0 || question.grouping?.dimensions.includes(byTag) === true;
    if (!isByTag) return summarizePeriods(periods, { client, params, known, conditions: before }, question);

    const table = intersectionsTable.name;
    const starting = inRange(periods, params, { ...question, strategy: "STARTED" });
    const isOfMany = await areMany(client, periods.name, table, [starting, ...before], params);
    const conditions = [inRange(periods, params, question), ...before];
    const from = withCurrentTag({ table, from: periods.from, conditions, areMany: isOfMany });
    const tagged = { ...periods, from, isInRange: true };
    return summarizePeriods(tagged, { client, params, known, conditions: behind }, question);
  },
};

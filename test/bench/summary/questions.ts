// The questions, through the product's functions and in SQL. Both give a row for each bucket, and one for the whole
// range.
import type { ClickHouseClient } from "@clickhouse/client";
import { detectionsSummary } from "../../../projections/summaries/detections.ts";
import type { SummaryContext } from "../../../projections/summaries/dimensions.ts";
import { intersectionsSummary } from "../../../projections/summaries/intersections.ts";
import type { SummaryKind } from "../../../projections/summaries/kind.ts";
import type { Strategy } from "../../../projections/summaries/shape.ts";
import { tracksSummaryKind } from "../../../projections/summaries/tracks.ts";
import { START_MS } from "../query/fill.ts";
import type { Question } from "../query/questions.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MONTH_MS = 30 * DAY_MS;
const at = (ms: number): string => `fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC')`;

interface Asked {
  readonly name: string;
  readonly lengthMs: number;
  readonly sizeMs: number;
  readonly names: readonly string[];
  readonly strategy?: Strategy;
  readonly sql: (from: number, to: number) => string;
}

export function summaryQuestions(client: ClickHouseClient, known: SummaryContext): Question[] {
  return [
    ...ofKind(client, known, tracksSummaryKind, trackQuestions),
    ...ofKind(client, known, intersectionsSummary, intersectionQuestions),
    ...ofKind(client, known, detectionsSummary, detectionQuestions),
  ];
}

function ofKind(
  client: ClickHouseClient,
  known: SummaryContext,
  kind: SummaryKind<object>,
  questions: readonly Asked[],
): Question[] {
  return questions.map(({ name, lengthMs, sizeMs, names, strategy = "ACTIVE", sql }) => {
    // The month as a whole begins when its data does; shorter ranges begin anywhere in it, at an odd millisecond.
    const from = (seed: number) =>
      START_MS + (lengthMs === MONTH_MS ? seed % 7 : ((seed * 7_919) % 23) * DAY_MS + seed);
    const dimensions = names.flatMap((each) => kind.dimensions[each] ?? []);
    return {
      name,
      async ask(seed) {
        const range = { from: from(seed), to: from(seed) + lengthMs };
        const question = { range, strategy, grouping: { sizeMs, dimensions }, maxBuckets: 100_000 };
        const { overall, buckets = [] } = await kind.summarize({
          ...known,
          client,
          dataSourceIds: () => [],
          filter: {},
          question,
        });
        return [overall, ...buckets.filter(({ tally }) => tally.total > 0)];
      },
      sql: (seed) => sql(from(seed), from(seed) + lengthMs),
    };
  });
}

/** Selects the objects by day or hour and by `key`. An object counts in each bucket in which it is active. */
const active = (table: string, unit: "Day" | "Hour", key: string, from: number, to: number): string => `
  WITH o AS (SELECT greatest(start_time, ${at(from)}) AS a, least(ifNull(end_time, ${at(to - 1)}), ${at(to - 1)}) AS z, ${key} AS k,
      start_time >= ${at(from)} AS s, ifNull(end_time < ${at(to)}, 0) AS e, dateDiff('millisecond', start_time, end_time) AS d
    FROM ${table} WHERE start_time < ${at(to)} AND (end_time IS NULL OR end_time >= ${at(from)}))
  SELECT toString(b) AS bucket, k, count() AS total, countIf(s AND toStartOf${unit}(a) = b) AS started,
    countIf(e AND toStartOf${unit}(z) = b) AS ended, min(d) AS shortest, avg(d) AS average, max(d) AS longest
  FROM o ARRAY JOIN arrayMap(i -> add${unit}s(toStartOf${unit}(a), i), range(0, 1 + dateDiff('${unit.toLowerCase()}', a, z))) AS b
  GROUP BY b, k
  UNION ALL SELECT '' AS bucket, '' AS k, count(), sum(s), sum(e), min(d), avg(d), max(d) FROM o`;

const trackQuestions: Asked[] = [
  {
    name: "tracks of a month by day and tag",
    ...{ lengthMs: MONTH_MS, sizeMs: DAY_MS, names: ["TAG"] },
    sql: (from, to) => active("tracks_current_v1", "Day", "lower(tag)", from, to),
  },
  {
    name: "tracks of a week by hour",
    ...{ lengthMs: 7 * DAY_MS, sizeMs: HOUR_MS, names: [] },
    sql: (from, to) => active("tracks_current_v1", "Hour", "''", from, to),
  },
];

/** The intersections with the tag that their track has now. */
const CURRENT_STAYS = `(SELECT start_time, end_time, data_source_id, if(t.tag = '', s.tag, t.tag) AS now
  FROM zone_intersections_v1 AS s FINAL LEFT JOIN tracks_current_v1 AS t USING (data_source_id, track_id))`;

const intersectionQuestions: Asked[] = [
  {
    name: "intersections of a month by day, data source and tag",
    ...{ lengthMs: MONTH_MS, sizeMs: DAY_MS, names: ["DATA_SOURCE", "TAG"] },
    sql: (from, to) => active(CURRENT_STAYS, "Day", "concat(data_source_id, lower(now))", from, to),
  },
];

const DETECTIONS = (from: number, to: number) =>
  `FROM detections_v1 FINAL PREWHERE timestamp >= ${at(from)} AND timestamp < ${at(to)}`;

const detectionQuestions: Asked[] = [
  {
    name: "detections of a month by day and data source",
    ...{ lengthMs: MONTH_MS, sizeMs: DAY_MS, names: ["DATA_SOURCE_ID"] },
    sql: (
      from,
      to,
    ) => `SELECT toStartOfDay(timestamp) AS b, data_source_id AS k, count() AS total ${DETECTIONS(from, to)}
      GROUP BY b, k UNION ALL SELECT toDateTime(0, 'UTC') AS b, '' AS k, count() AS total ${DETECTIONS(from, to)}`,
  },
  {
    name: "detections of a month by day and tag",
    ...{ lengthMs: MONTH_MS, sizeMs: DAY_MS, names: ["TAG"] },
    sql: (from, to) => `SELECT b, lower(tag) AS k, sum(n) AS total FROM (
        SELECT data_source_id, track_id, toStartOfDay(timestamp) AS b, count() AS n ${DETECTIONS(from, to)}
        GROUP BY data_source_id, track_id, b) AS d
      LEFT JOIN (SELECT data_source_id, track_id, tag FROM tracks_current_v1) AS t USING (data_source_id, track_id)
      GROUP BY b, k UNION ALL SELECT toDateTime(0, 'UTC') AS b, '' AS k, count() AS total ${DETECTIONS(from, to)}`,
  },
  {
    name: "detections of a day by minute",
    ...{ lengthMs: DAY_MS, sizeMs: 60_000, names: [] },
    sql: (from, to) => `SELECT toStartOfMinute(timestamp) AS b, count() AS total ${DETECTIONS(from, to)}
      GROUP BY b UNION ALL SELECT toDateTime(0, 'UTC') AS b, count() AS total ${DETECTIONS(from, to)}`,
  },
];

// The query detectionsSummary, answered from the hours in which tracks were seen.
import type { DetectionsSummaryBucketField, FilterDetectionsSummaryInput } from "../../schemas/graphql/inputs.ts";
import { HOUR_MS } from "../../schemas/units.ts";
import { compile } from "../filters/compile.ts";
import { all, type Params } from "../filters/sql/sql.ts";
import { detectionsPerHourTable } from "../history/detections-per-hour.ts";
import { createParams } from "../history/queries/params.ts";
import { ask } from "../history/queries/run.ts";
import { TRACK_KEY } from "../history/queries/track-candidates.ts";
import { type Dimension, tagDimension } from "./dimensions.ts";
import type { SummaryKind } from "./kind.ts";
import { dataSourceDimension, related, siteDimension } from "./related.ts";
import { bucketOrder, OVERALL, rowLimit, type SummaryRow, summaryOf } from "./rows.ts";
import { firstBucket, type Range, type SummaryQuestion } from "./shape.ts";

const dimensions: Readonly<Record<DetectionsSummaryBucketField, Dimension>> = {
  TAG: tagDimension,
  DATA_SOURCE_ID: dataSourceDimension("dataSource"),
  SITE: siteDimension("site"),
};

export const detectionsSummary: SummaryKind<FilterDetectionsSummaryInput> = {
  dimensions,
  async summarize({ client, dataSourceIds, filter, question, ...known }) {
    const params = createParams();
    const asked = question.grouping?.dimensions ?? [];
    const { pointOfInterest: _, ...fields } = related;
    const compiled = (part: FilterDetectionsSummaryInput) => compile(fields, part, { params, dataSourceIds });
    const isByTag = asked.includes(tagDimension) || asksTag(filter);
    const { dataSource: ofSource, site: ofSite } = filter;
    const counts = isByTag
      ? `SELECT * FROM (${tagged(question, compiled({ dataSource: ofSource, site: ofSite }))}) WHERE ${compiled(filter)}`
      : counted(question, compiled(filter));
    const rows = await ask<SummaryRow>(client, "detections summary", totals(counts, question, params, known), params);
    // A detection is in one bucket only, so the total is the sum of the buckets. An answer with more buckets than
    // allowed is refused.
    const total = rows.reduce((sum, row) => sum + Number(row.total), 0);
    return summaryOf([...rows, { bucket: String(OVERALL), keys: [], total: String(total) }], question);
  },
};

const asksTag = ({ tag: own, and, or, not }: FilterDetectionsSummaryInput): boolean =>
  own != null || [...(and ?? []), ...(or ?? []), ...(not == null ? [] : [not])].some(asksTag);

function totals(
  counts: string,
  question: SummaryQuestion<Dimension>,
  params: Params,
  known: Parameters<Dimension["sql"]>[1],
) {
  const keys = (question.grouping?.dimensions ?? []).map(
    ({ sql }) => `CAST(${sql(params, known)}, 'Nullable(String)')`,
  );
  return `SELECT bucket, [${keys.join(", ")}] AS keys, sum(objects) AS total FROM (${counts})
    GROUP BY bucket, keys HAVING total > 0 ORDER BY ${bucketOrder(keys.length)} LIMIT ${rowLimit(question)}`;
}

/** Counts the detections of each track in each bucket. A track may have several rows for one bucket. */
function counted({ range: { from, to }, grouping }: SummaryQuestion<Dimension>, condition: string): string {
  const sizeMs = grouping?.sizeMs;
  const base = sizeMs === undefined ? 0 : firstBucket({ from, to }, sizeMs);
  const bucket = (ms: string) => (sizeMs === undefined ? "toInt64(0)" : `intDiv(${ms} - (${base}), ${sizeMs})`);
  const source = `FROM ${detectionsPerHourTable.name} FINAL WHERE ${all([hoursOf({ from, to }), condition])}`;
  const begin = `toInt64(hour) * ${HOUR_MS}`;
  if (sizeMs !== undefined && sizeMs < HOUR_MS) {
    return `SELECT ${TRACK_KEY}, ${bucket("at")} AS bucket, 1 AS objects
      FROM (SELECT ${TRACK_KEY}, ${begin} + arrayJoin(seen_ms) AS at ${source})
      WHERE at >= ${from} AND at < ${to}`;
  }
  const isWhole = `${begin} >= ${from} AND ${begin} + ${HOUR_MS} <= ${to}`;
  const within = `arrayCount(ms -> ${begin} + ms >= ${from} AND ${begin} + ms < ${to}, seen_ms)`;
  // The first hour may begin before the range of its bucket, never before the bucket.
  return `SELECT ${TRACK_KEY}, ${bucket(begin)} AS bucket, if(${isWhole}, length(seen_ms), ${within}) AS objects ${source}`;
}

const hoursOf = ({ from, to }: Range): string =>
  `hour >= ${Math.floor(from / HOUR_MS)} AND hour <= ${Math.floor((to - 1) / HOUR_MS)}`;

/**
 * The same counts with the tag that each track has now. The condition on the keys avoids reading the headers of all
 * other tracks.
 */
function tagged(question: SummaryQuestion<Dimension>, condition: string): string {
  const counts = counted(question, condition);
  const seen = `SELECT ${TRACK_KEY} FROM ${detectionsPerHourTable.name} WHERE ${all([hoursOf(question.range), condition])}`;
  return `SELECT data_source_id, bucket, objects, tag
    FROM (SELECT ${TRACK_KEY}, bucket, sum(objects) AS objects FROM (${counts}) GROUP BY ${TRACK_KEY}, bucket) AS counts
    LEFT JOIN (SELECT ${TRACK_KEY}, tag FROM tracks_current_v1 WHERE (${TRACK_KEY}) IN (${seen})) AS headers USING (${TRACK_KEY})`;
}

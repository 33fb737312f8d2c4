// The ranges of detections that a trial of a zone reads (projections/trial).
import { all, bindTime, type Params } from "../../filters/sql/sql.ts";
import { createParams } from "./params.ts";
import { ask, type QueryClient } from "./run.ts";

/** Event times, ms: `from` is included, `to` is not. */
export interface TrialRange {
  readonly dataSourceId: string;
  readonly from: number;
  readonly to: number;
}

/** The detections of a bucket of time. Empty buckets are left out. */
export interface TrialBucket {
  readonly from: number;
  readonly to: number;
  readonly detections: number;
  /** The lowest and the highest offset. */
  readonly first: number;
  readonly last: number;
}

interface BucketRow {
  readonly bucket: string;
  readonly detections: string;
  readonly first: string;
  readonly last: string;
}

/** Counts the detections of a range in buckets of `widthMs`. The query reads no more than `most` detections. */
export async function detectionBuckets(
  client: QueryClient,
  range: TrialRange,
  { widthMs, most }: { readonly widthMs: number; readonly most: number },
): Promise<TrialBucket[]> {
  const params = createParams();
  const from = params.bind("Int64", range.from);
  const width = params.bind("Int64", widthMs);
  const sql = `SELECT intDiv(toUnixTimestamp64Milli(timestamp) - ${from}, ${width}) AS bucket, count() AS detections,
      min(offset) AS first, max(offset) AS last
    FROM (SELECT timestamp, offset FROM detections_v1
      WHERE ${within(params, range)} LIMIT ${params.bind("UInt64", most)})
    GROUP BY bucket ORDER BY bucket`;
  return (await ask<BucketRow>(client, "trial buckets", sql, params)).map(({ bucket, detections, first, last }) => ({
    from: range.from + Number(bucket) * widthMs,
    to: Math.min(range.to, range.from + (Number(bucket) + 1) * widthMs),
    detections: Number(detections),
    first: Number(first),
    last: Number(last),
  }));
}

/** A piece of a trial's range. */
export interface TrialPiece extends TrialRange {
  /**
   * The end of the detections that the log may have before others of this piece, although they are later. Undefined
   * when there are none.
   */
  readonly overlap: { readonly to: number; readonly before: number } | undefined;
}

const within = (params: Params, { dataSourceId, from, to }: TrialRange): string =>
  all([
    `data_source_id = ${params.bind("String", dataSourceId)}`,
    `timestamp >= ${bindTime(params, from)}`,
    `timestamp < ${bindTime(params, to)}`,
  ]);

/** Returns the conditions on the detections of a piece. No detection fulfils two of them. */
export function pieceRanges(params: Params, piece: TrialPiece): string[] {
  const { dataSourceId, to, overlap } = piece;
  if (overlap === undefined) return [within(params, piece)];
  const later = within(params, { dataSourceId, from: to, to: overlap.to });
  return [within(params, piece), all([later, `offset < ${params.bind("UInt64", overlap.before)}`])];
}

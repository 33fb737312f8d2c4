// The rows of a summary as the store sends them.
import { checkCount, withEmpty } from "./buckets.ts";
import { type Bucket, firstBucket, NOTHING, type Question, type Summary, type Tally } from "./shape.ts";

/** Number of the bucket of everything. */
export const OVERALL = -1;

/** 64-bit integers come as strings. */
export interface SummaryRow {
  /** Counted from the first one; OVERALL for the tally of all objects. */
  readonly bucket: string;
  readonly keys: readonly (string | null)[];
  readonly total: string;
  readonly started?: string;
  readonly ended?: string;
  readonly shortest?: string | null;
  readonly longest?: string | null;
  readonly average?: string | null;
}

/** Rows that must be asked for, so that an answer that is too long shows. */
export const rowLimit = ({ maxBuckets }: Question<unknown>): number => maxBuckets + 2;

/** Of rows with so many keys: by time, then by the keys. */
export const bucketOrder = (keys: number): string =>
  ["bucket", ...Array.from({ length: keys }, (_, i) => `keys[${i + 1}] ASC NULLS LAST`)].join(", ");

/** `rows`: in the order of the buckets. Throws BAD_USER_INPUT for too many of them. */
export function summaryOf(rows: readonly SummaryRow[], question: Question<unknown>): Summary {
  const { grouping, maxBuckets } = question;
  const overall = rows.find(({ bucket }) => Number(bucket) === OVERALL);
  const counted = rows.filter(({ bucket }) => Number(bucket) !== OVERALL);
  checkCount(counted.length, maxBuckets);
  const summary = { overall: overall === undefined ? NOTHING : tallyOf(overall) };
  if (grouping === undefined) return { ...summary, buckets: undefined };
  const buckets = counted.map((row) => toBucket(row, question));
  return { ...summary, buckets: grouping.dimensions.length === 0 ? withEmpty(buckets, question) : buckets };
}

function toBucket(row: SummaryRow, { range, grouping }: Question<unknown>): Bucket {
  const sizeMs = grouping?.sizeMs;
  const time = sizeMs === undefined ? null : firstBucket(range, sizeMs) + Number(row.bucket) * sizeMs;
  return { time, values: row.keys, tally: tallyOf(row) };
}

function tallyOf({ total, started = "0", ended = "0", shortest, longest, average }: SummaryRow): Tally {
  const duration =
    shortest == null || longest == null || average == null
      ? null
      : { min: Number(shortest), average: Number(average), max: Number(longest) };
  return { total: Number(total), started: Number(started), ended: Number(ended), duration };
}

// The rows of a summary as the store sends them.
import { checkCount, withEmpty } from "./buckets.ts";
import { type Bucket, firstBucket, NOTHING, type Summary, type SummaryQuestion, type Tally } from "./shape.ts";

/** Number of the bucket that counts all objects. */
export const OVERALL = -1;

/** A row of the answer. 64-bit integers arrive as strings. */
export interface SummaryRow {
  /** Number of the bucket, counted from the first one; OVERALL for the tally of all objects. */
  readonly bucket: string;
  readonly keys: readonly (string | null)[];
  readonly total: string;
  readonly started?: string;
  readonly ended?: string;
  readonly shortest?: string | null;
  readonly longest?: string | null;
  readonly average?: string | null;
}

/** The limit of rows of a query: enough to notice that an answer has too many buckets. */
export const rowLimit = ({ maxBuckets }: SummaryQuestion<unknown>): number => maxBuckets + 2;

/** The order of rows with this number of keys: by time, then by the keys. */
export const bucketOrder = (keys: number): string =>
  ["bucket", ...Array.from({ length: keys }, (_, i) => `keys[${i + 1}] ASC NULLS LAST`)].join(", ");

/** `rows` must be in the order of the buckets. Throws BAD_USER_INPUT when there are too many. */
export function summaryOf(rows: readonly SummaryRow[], question: SummaryQuestion<unknown>): Summary {
  const { grouping, maxBuckets } = question;
  const overall = rows.find(({ bucket }) => Number(bucket) === OVERALL);
  const counted = rows.filter(({ bucket }) => Number(bucket) !== OVERALL);
  checkCount(counted.length, maxBuckets);
  const summary = { overall: overall === undefined ? NOTHING : tallyOf(overall) };
  if (grouping === undefined) return { ...summary, buckets: undefined };
  const buckets = counted.map((row) => toBucket(row, question));
  return { ...summary, buckets: grouping.dimensions.length === 0 ? withEmpty(buckets, question) : buckets };
}

function toBucket(row: SummaryRow, { range, grouping }: SummaryQuestion<unknown>): Bucket {
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

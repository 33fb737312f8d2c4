// Summarizes objects that have a start and, once they have ended, an end.
import { badInput } from "../../schemas/errors.ts";
import { keysAt } from "../filters/kinds/json.ts";
import { all, any, bindTime, type Params } from "../filters/sql/sql.ts";
import { ask, type QueryClient } from "../history/queries/run.ts";
import type { Dimension, SummaryContext } from "./dimensions.ts";
import { bucketOrder, OVERALL, rowLimit, type SummaryRow, summaryOf } from "./rows.ts";
import { firstBucket, type Summary, type SummaryQuestion } from "./shape.ts";

export interface Periods {
  readonly name: string;
  /** Table or view with one row for each object. */
  readonly from: string;
  /** The columns of the start and the end. */
  readonly start: string;
  readonly end: string;
  /**
   * A condition on objects that start before an instant, cheaper than the exact one. All objects that last until the
   * instant fulfil it. Without it, ClickHouse reads everything before a range.
   */
  readonly lasting?: (instant: string) => string;
  /** True when all rows of `from` fulfil the condition on the range. */
  readonly isInRange?: boolean;
}

interface Asking {
  readonly client: QueryClient;
  readonly params: Params;
  readonly known: SummaryContext;
  /** Conditions in addition to the one on the range. */
  readonly conditions: readonly string[];
}

export async function summarizePeriods(
  periods: Periods,
  asking: Asking,
  question: SummaryQuestion<Dimension>,
): Promise<Summary> {
  const sql = periodsSql(periods, asking, question);
  const rows = await ask<SummaryRow>(asking.client, periods.name, sql, asking.params);
  return summaryOf(rows, question);
}

/** Rejects with BAD_USER_INPUT when there are more keys than buckets are allowed. */
export async function periodsMetadataKeys(
  periods: Periods,
  { client, params, conditions }: Asking,
  question: SummaryQuestion<Dimension>,
  path: readonly string[],
): Promise<string[]> {
  const { maxBuckets } = question;
  const sql = `SELECT DISTINCT arrayJoin(${keysAt(params, "metadata", path)}) AS key
    FROM ${periods.from} WHERE ${all([inRange(periods, params, question), ...conditions])}
    ORDER BY key LIMIT ${maxBuckets + 1}`;
  const rows = await ask<{ key: string }>(client, `${periods.name}, metadata keys`, sql, params);
  if (rows.length > maxBuckets) throw badInput(`more than ${maxBuckets} keys in the metadata (API_MAX_BUCKETS)`);
  return rows.map(({ key }) => key);
}

/** The condition on the range. An object that ends at the instant when the range begins is active in it. */
export function inRange(
  { start, end, lasting }: Periods,
  params: Params,
  { range, strategy }: SummaryQuestion<Dimension>,
): string {
  const [from, to] = [bindTime(params, range.from), bindTime(params, range.to)];
  const isCandidate = lasting === undefined ? [] : [any([`${start} >= ${from}`, lasting(from)])];
  switch (strategy) {
    case "ACTIVE":
      return all([`${start} < ${to}`, `ifNull(${end} >= ${from}, 1)`, ...isCandidate]);
    case "STARTED":
      return `${start} >= ${from} AND ${start} < ${to}`;
    case "ENDED":
      return all([`${end} IS NOT NULL`, `ifNull(${end} >= ${from} AND ${end} < ${to}, 0)`, ...isCandidate]);
    default:
      return strategy satisfies never;
  }
}

/**
 * The query has three steps, so that the large one runs once: it finds the buckets of each object, counts the objects
 * with the same buckets and values, and adds up these few counts by bucket and for the whole range. The list of an
 * object with several values is expanded only in the last step, and not for the whole range, in which the object counts
 * once.
 */
function periodsSql(
  periods: Periods,
  { params, known, conditions }: Asking,
  question: SummaryQuestion<Dimension>,
): string {
  const dimensions = question.grouping?.dimensions ?? [];
  const keys = dimensions.map((_, i) => `key_${i}`);
  const placed = ["first_bucket", "last_bucket", "starts", "ends"];
  const objects = `SELECT ${columnsOf(periods, question).join(", ")}${dimensions
    .map((dimension, i) => `, ${keySql(dimension, params, known)} AS key_${i}`)
    .join("")}
    FROM ${periods.from} WHERE ${all([...(periods.isInRange ? [] : [inRange(periods, params, question)]), ...conditions])}`;
  const counted = `SELECT ${[...placed, ...keys].join(", ")}, count() AS objects, count(duration) AS finished,
      min(duration) AS least, max(duration) AS most, sum(duration) AS lasted
    FROM (${objects}) GROUP BY ${[...placed, ...keys].join(", ")}${boundOf(question)}`;
  const shown = dimensions.map(({ isMany }, i) =>
    isMany ? `arrayJoin(if(bucket = ${OVERALL}, [NULL], key_${i}))` : `if(bucket = ${OVERALL}, NULL, key_${i})`,
  );
  return `SELECT bucket, [${shown.join(", ")}] AS keys, sum(objects) AS total,
      sumIf(objects, starts AND bucket IN (${OVERALL}, first_bucket)) AS started,
      sumIf(objects, ends AND bucket IN (${OVERALL}, last_bucket)) AS ended,
      min(least) AS shortest, max(most) AS longest,
      if(sum(finished) = 0, NULL, intDiv(2 * sum(lasted) + sum(finished), 2 * sum(finished))) AS average
    FROM (${counted}) ARRAY JOIN ${bucketsOf(question)} AS bucket
    GROUP BY bucket, keys
    ORDER BY ${bucketOrder(keys.length)} LIMIT ${rowLimit(question)}`;
}

/** Returns the columns: the buckets of an object, whether it starts and ends in the range, and its duration. */
function columnsOf({ start, end }: Periods, { range, strategy, grouping }: SummaryQuestion<Dimension>): string[] {
  const [startMs, endMs] = [start, end].map((column) => `toUnixTimestamp64Milli(${column})`);
  const sizeMs = grouping?.sizeMs;
  const bucket = (ms: string) =>
    sizeMs === undefined ? "toInt64(0)" : `intDiv(${ms} - (${firstBucket(range, sizeMs)}), ${sizeMs})`;
  // `greatest` alone is 0 for a missing end in some versions of the store.
  const duration = `if(${end} IS NULL, NULL, greatest(${endMs} - ${startMs}, 0)) AS duration`;
  if (strategy !== "ACTIVE") {
    const isStart = strategy === "STARTED";
    const only = bucket(isStart ? `${startMs}` : `assumeNotNull(${endMs})`);
    return [
      `${only} AS first_bucket`,
      "first_bucket AS last_bucket",
      `${isStart} AS starts`,
      `${!isStart} AS ends`,
      duration,
    ];
  }
  return [
    `${bucket(`greatest(${startMs}, ${range.from})`)} AS first_bucket`,
    `${bucket(`least(ifNull(${endMs}, ${range.to - 1}), ${range.to - 1})`)} AS last_bucket`,
    `${startMs} >= ${range.from} AS starts`,
    `ifNull(${endMs} < ${range.to}, 0) AS ends`,
    duration,
  ];
}

function keySql({ isMany, sql }: Dimension, params: Params, known: SummaryContext): string {
  const value = sql(params, known);
  if (isMany !== true) return `CAST(${value}, 'Nullable(String)')`;
  return `if(empty(${value}), [NULL], CAST(arraySort(arrayDistinct(${value})), 'Array(Nullable(String))'))`;
}

/**
 * Several lists multiply the buckets of an object. The store refuses an object that is in more buckets than are allowed
 * before it expands the lists.
 */
function boundOf({ grouping, maxBuckets }: SummaryQuestion<Dimension>): string {
  const lengths = grouping?.dimensions.flatMap(({ isMany }, i) => (isMany ? `length(key_${i})` : [])) ?? [];
  if (lengths.length === 0) return "";
  return ` HAVING NOT throwIf(${lengths.join(" * ")} * (last_bucket - first_bucket + 1) > ${maxBuckets})`;
}

function bucketsOf({ grouping }: SummaryQuestion<Dimension>): string {
  const overall = `toInt64(${OVERALL})`;
  if (grouping === undefined) return `[${overall}]`;
  if (grouping.sizeMs === undefined) return `[${overall}, toInt64(0)]`;
  return `arrayConcat([${overall}], range(first_bucket, last_bucket + 1))`;
}

// Summarizes objects that have a start and, once they have ended, an end.
import { badInput } from "../../schemas/errors.ts";
import { keysAt } from "../filters/kinds/json.ts";
import { all, any, bindTime, type Params } from "../filters/sql/sql.ts";
import { type Asked, ask } from "../history/queries/run.ts";
import type { Dimension, Known } from "./dimensions.ts";
import { bucketOrder, OVERALL, rowLimit, type SummaryRow, summaryOf } from "./rows.ts";
import { firstBucket, type Question, type Summary } from "./shape.ts";

export interface Periods {
  readonly name: string;
  /** Table or view: one row for each object. */
  readonly from: string;
  /** Columns. */
  readonly start: string;
  readonly end: string;
  /**
   * Of what starts before an instant, fulfilled by all that last until it, and cheaper to judge by. Without it, everything before a
   * range is read.
   */
  readonly lasting?: (instant: string) => string;
}

interface Asking {
  readonly client: Asked;
  readonly params: Params;
  readonly known: Known;
  /** Besides that they belong to the range. */
  readonly conditions: readonly string[];
}

export async function summarizePeriods(
  periods: Periods,
  asking: Asking,
  question: Question<Dimension>,
): Promise<Summary> {
  const sql = periodsSql(periods, asking, question);
  const rows = await ask<SummaryRow>(asking.client, periods.name, sql, asking.params);
  return summaryOf(rows, question);
}

/** Rejects with BAD_USER_INPUT for more keys than buckets are allowed. */
export async function periodsMetadataKeys(
  periods: Periods,
  { client, params, conditions }: Asking,
  question: Question<Dimension>,
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

/** An object that ended when the range begins is active in it. */
export function inRange(
  { start, end, lasting }: Periods,
  params: Params,
  { range, strategy }: Question<Dimension>,
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
 * Three steps, so that the large one is done once: the buckets of each object, the objects with the same buckets and values
 * counted, and these few counts added up by bucket and for the whole range. Of an object with several values, the list of
 * them is taken apart in the last step only, and not for the whole range, where it counts once.
 */
function periodsSql(periods: Periods, { params, known, conditions }: Asking, question: Question<Dimension>): string {
  const dimensions = question.grouping?.dimensions ?? [];
  const keys = dimensions.map((_, i) => `key_${i}`);
  const placed = ["first_bucket", "last_bucket", "starts", "ends"];
  const objects = `SELECT ${columnsOf(periods, question).join(", ")}${dimensions
    .map((dimension, i) => `, ${keySql(dimension, params, known)} AS key_${i}`)
    .join("")}
    FROM ${periods.from} WHERE ${all([inRange(periods, params, question), ...conditions])}`;
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

/** In which buckets an object is, whether it starts and ends in the range, and how long it lasted. */
function columnsOf({ start, end }: Periods, { range, strategy, grouping }: Question<Dimension>): string[] {
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

function keySql({ isMany, sql }: Dimension, params: Params, known: Known): string {
  const value = sql(params, known);
  if (isMany !== true) return `CAST(${value}, 'Nullable(String)')`;
  return `if(empty(${value}), [NULL], CAST(arraySort(arrayDistinct(${value})), 'Array(Nullable(String))'))`;
}

/** Lists multiply. The store refuses an object that is in more buckets than are allowed before it takes the lists apart. */
function boundOf({ grouping, maxBuckets }: Question<Dimension>): string {
  const lengths = grouping?.dimensions.flatMap(({ isMany }, i) => (isMany ? `length(key_${i})` : [])) ?? [];
  if (lengths.length === 0) return "";
  return ` HAVING NOT throwIf(${lengths.join(" * ")} * (last_bucket - first_bucket + 1) > ${maxBuckets})`;
}

function bucketsOf({ grouping }: Question<Dimension>): string {
  const overall = `toInt64(${OVERALL})`;
  if (grouping === undefined) return `[${overall}]`;
  if (grouping.sizeMs === undefined) return `[${overall}, toInt64(0)]`;
  return `arrayConcat([${overall}], range(first_bucket, last_bucket + 1))`;
}

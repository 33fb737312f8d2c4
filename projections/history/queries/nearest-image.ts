import { bindTime } from "../../filters/sql/sql.ts";
import { type ImageRecord, imageHistory } from "../records/image.ts";
import type { WireRow } from "../table.ts";
import { createParams } from "./params.ts";
import { ask, type QueryClient } from "./run.ts";

/**
 * Returns the image of the data source that is nearest to the instant `at`, at most `withinMs` before or after it. Of
 * two equally near images it is the earlier one.
 */
export async function nearestImage(
  client: QueryClient,
  dataSourceId: string,
  { at, withinMs }: { readonly at: number; readonly withinMs: number },
): Promise<ImageRecord | undefined> {
  const { select, from, toRecord } = imageHistory;
  const params = createParams();
  const [first, instant, last] = [at - withinMs, at, at + withinMs].map((ms) => bindTime(params, ms));
  const sql = `SELECT ${select} FROM ${from}
    WHERE source_key = ${params.bind("String", dataSourceId)} AND time_key BETWEEN ${first} AND ${last}
    ORDER BY abs(dateDiff('millisecond', time_key, ${instant})), time_key, image_id LIMIT 1`;
  const [row] = await ask<WireRow>(client, "nearest image", sql, params);
  return row === undefined ? undefined : toRecord(row);
}

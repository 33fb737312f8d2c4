import { all, type Params } from "../../filters/sql/sql.ts";
import { askCount, type QueryClient } from "./run.ts";

/**
 * With fewer rows than this, a look-up of the track of each row costs less than reading all tracks, in a history of any
 * length: the index tests each key at each granule of the table of tracks.
 */
const MANY_ROWS = 20_000;

/**
 * @returns true when many rows of the table fulfil the conditions. Never rejects; returns false when the store does not
 * answer.
 */
export async function areMany(
  client: QueryClient,
  name: string,
  table: string,
  conditions: readonly string[],
  params: Params,
): Promise<boolean> {
  const some = `(SELECT 1 FROM ${table} WHERE ${all(conditions)} LIMIT ${MANY_ROWS})`;
  return (await askCount(client, `${name}: rows`, some, "1", params).catch(() => 0)) === MANY_ROWS;
}

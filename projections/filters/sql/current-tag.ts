// The tag that a track has now, for tables that keep the tag that it had. Few tracks have another one now: those whose tag an
// update has set, and those that were created after a row of theirs.
import { CREATED } from "../../history/rows/rank.ts";
import { all } from "./sql.ts";

/** A column of `withCurrentTag`. */
export const CURRENT_TAG = "current_tag";

interface Tagless {
  /** Holds all rows of `from`, merged or not. */
  readonly table: string;
  readonly from: string;
  /** On the columns of both. */
  readonly conditions: readonly string[];
}

const TRACK = "data_source_id, track_id";

/**
 * The rows of `from` that fulfil the conditions, with the column CURRENT_TAG. It is looked up once for a question, in the headers of
 * the tracks that have such rows.
 */
export function withCurrentTag({ table, from, conditions }: Tagless): string {
  const isOf = (rows: readonly string[]) =>
    rows.length === 0 ? "1" : `(${TRACK}) IN (SELECT ${TRACK} FROM ${table} WHERE ${all(rows)})`;
  // The rows of a track may not be merged yet: the highest rank counts.
  const corrected = `SELECT ${TRACK}, max(header_tag) AS header FROM tracks_v1
    WHERE (header_tag.1 > ${CREATED} AND ${isOf(conditions)}) OR (header_tag.1 > 0 AND ${isOf(["tag = ''", ...conditions])})
    GROUP BY ${TRACK}`;
  return `(SELECT *, if(header.1 > 0, header.2, toString(tag)) AS ${CURRENT_TAG}
    FROM (SELECT * FROM ${from} WHERE ${all(conditions)}) AS tagless
    LEFT ANY JOIN (${corrected}) AS headers USING (${TRACK}))`;
}

// The present tag of a track, for tables that store the tag that the track had when a row was written. Few tracks have
// another tag now: those whose tag an update has set, those that were created after one of their rows, and those that
// were created again with another tag after live state had forgotten them.
import { all } from "./sql.ts";

/** The column that `withCurrentTag` adds. */
export const CURRENT_TAG = "current_tag";

interface Tagless {
  /** The table has all rows of `from`, merged or not. */
  readonly table: string;
  readonly from: string;
  /** Conditions on columns that both have. */
  readonly conditions: readonly string[];
  /** True when many rows fulfil the conditions. The join then reads the headers of all tracks, which costs less. */
  readonly areMany?: boolean | undefined;
}

const TRACK = "data_source_id, track_id";
/** A condition on the headers of tracks. */
const HAS_TAG = "header_tag.1 > 0";

export interface MayHaveTag {
  /**
   * A condition on the rows of the table. All rows that fulfil the conditions on CURRENT_TAG fulfil it, and few others
   * do.
   */
  readonly condition: string;
  /** Selects the tracks that have ever had a tag that fulfils the conditions. */
  readonly tracks: string;
}

/**
 * Returns conditions that avoid reading the headers of all other tracks: they test the tags in the rows themselves, and
 * select the rows of tracks that have ever had such a tag.
 */
export function mayHaveTag(conditions: readonly string[]): MayHaveTag {
  const on = (tag: string) => all(conditions).replaceAll(CURRENT_TAG, tag);
  const tracks = `SELECT ${TRACK} FROM tracks_v1 WHERE ${HAS_TAG} AND (${on("header_tag.2")})`;
  return { condition: `((${on("tag")}) OR (${TRACK}) IN (${tracks}))`, tracks };
}

/**
 * Selects the rows of `from` that fulfil the conditions, with the additional column CURRENT_TAG. One join for the whole
 * query looks it up. The tags are numbers in a dictionary, so the join keeps little more than the keys of the tracks.
 */
export function withCurrentTag({ table, from, conditions, areMany = false }: Tagless): string {
  const isOfThese =
    areMany || conditions.length === 0
      ? []
      : [`(${TRACK}) IN (SELECT ${TRACK} FROM ${table} WHERE ${all(conditions)})`];
  const headers = `SELECT ${TRACK}, toLowCardinality(toNullable(header_tag.2)) AS header
    FROM tracks_v1 FINAL WHERE ${all([HAS_TAG, ...isOfThese])}`;
  return `(SELECT *, ifNull(header, tag) AS ${CURRENT_TAG}
    FROM (SELECT * FROM ${from} WHERE ${all(conditions)}) AS tagless
    LEFT ANY JOIN (${headers}) AS headers USING (${TRACK}))`;
}

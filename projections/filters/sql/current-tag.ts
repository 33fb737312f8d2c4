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
 * Selects the rows of `from` that fulfil the conditions, with the additional column CURRENT_TAG. One look-up for the
 * whole query reads the headers of the tracks whose tag differs from that in their rows.
 */
export function withCurrentTag({ table, from, conditions }: Tagless): string {
  const isOfThese =
    conditions.length === 0 ? [] : [`(${TRACK}) IN (SELECT ${TRACK} FROM ${table} WHERE ${all(conditions)})`];
  const headers = (more: readonly string[]) => `tracks_v1 FINAL WHERE ${all([HAS_TAG, ...more])}`;
  const isOther = `(${TRACK}, tag) NOT IN (SELECT ${TRACK}, header_tag.2 FROM ${headers(isOfThese)})`;
  const others = `SELECT ${TRACK} FROM ${table} WHERE ${all([...conditions, isOther])}`;
  const corrected = `SELECT ${TRACK}, header_tag AS header FROM ${headers([`(${TRACK}) IN (${others})`])}`;
  return `(SELECT *, if(header.1 > 0, header.2, toString(tag)) AS ${CURRENT_TAG}
    FROM (SELECT * FROM ${from} WHERE ${all(conditions)}) AS tagless
    LEFT ANY JOIN (${corrected}) AS headers USING (${TRACK}))`;
}

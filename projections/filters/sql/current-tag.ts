// The tag that a track has now, in tables that keep the tag that it had. Few tracks have another one now: those whose tag an
// update has set, and those that were created after a row of theirs. The question collects them once and looks each row up.
import { CREATED } from "../../history/rows/rank.ts";

/** An expression over the columns data_source_id, track_id and tag of the table. */
export function currentTag(table: string): string {
  // The rows of a track may not be merged yet: the highest rank counts.
  const corrected = `SELECT concat(toString(data_source_id), char(0), track_id) AS track, max(header_tag).2 AS now
    FROM tracks_v1 WHERE header_tag.1 > ${CREATED} OR (header_tag.1 > 0
      AND (data_source_id, track_id) IN (SELECT data_source_id, track_id FROM ${table} WHERE tag = ''))
    GROUP BY data_source_id, track_id`;
  // Both lists come from one subquery, which the store runs once. An empty list is refused, and no track has the key ''.
  const lists = `(SELECT (arrayPushFront(groupArray(track), ''), arrayPushFront(groupArray(now), '')) FROM (${corrected}))`;
  const key = "concat(toString(data_source_id), char(0), track_id)";
  return `transform(${key}, tupleElement(${lists}, 1), tupleElement(${lists}, 2), toString(tag))`;
}

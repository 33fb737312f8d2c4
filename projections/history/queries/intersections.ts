import type { FilterZoneIntersectionInput, ZoneIntersectionsSort } from "../../../schemas/filters.ts";
import { compile } from "../../filters/compile.ts";
import { intersectionFields } from "../../filters/intersections.ts";
import { given } from "../../filters/sql/sql.ts";
import { intersectionRecord, intersectionSelect, intersectionsTable } from "../intersections.ts";
import type { WireRow } from "../table.ts";
import { type KeyColumn, sortKey } from "./keyset.ts";
import { type Kind, page } from "./page.ts";
import { createParams } from "./params.ts";
import type { History, IntersectionRecord, Page, PageRequest } from "./records.ts";
import { type Asked, ask, askCount } from "./run.ts";

const id: KeyColumn = { sql: "intersection_id", type: "String" };
const startTime: KeyColumn = { sql: "start_time", type: "time" };

const intersections: Kind<IntersectionRecord> = {
  name: "intersections page",
  from: `${intersectionsTable.name} FINAL`,
  select: intersectionSelect,
  toRecord: intersectionRecord,
  keyOf: (record, column) => (column === "start_time" ? record.startTime : record.intersectionId),
};

export function intersectionsPage(
  { client, dataSourceIds }: History,
  request: PageRequest<FilterZoneIntersectionInput, ZoneIntersectionsSort>,
): Promise<Page<IntersectionRecord>> {
  const key = sortKey(request.sort, { ID: id, START_TIME: startTime }, [id]);
  // The intersections of a zone are few, and one stretch of the table.
  const isOfZone = given(request.filter.zoneId?.eq);
  const kind = isOfZone
    ? intersections
    : { ...intersections, narrow: () => ({ table: intersectionsTable.name, merge: latest }) };
  return page(client, kind, request, key, (params, filter) =>
    compile(intersectionFields, filter, { params, dataSourceIds }),
  );
}

/** Merges rows like FINAL, but only those of a stretch of time. */
const latest = (condition: string): string => `SELECT * FROM ${intersectionsTable.name} WHERE ${condition}
  ORDER BY cause_offset DESC, cause_item DESC LIMIT 1 BY zone_id, start_time, intersection_id`;

export function intersectionsCount(
  { client, dataSourceIds }: History,
  filter: FilterZoneIntersectionInput,
): Promise<number> {
  const params = createParams();
  const condition = compile(intersectionFields, filter, { params, dataSourceIds });
  return askCount(client, "intersections count", intersections.from, condition, params);
}

/** One list per asked track, in the order asked; each by start time, then id. */
export async function intersectionsOfTracks(
  client: Asked,
  trackIds: readonly string[],
): Promise<IntersectionRecord[][]> {
  const lists = new Map<string, IntersectionRecord[]>(trackIds.map((trackId) => [trackId, []]));
  if (lists.size > 0) {
    const params = createParams();
    const sql = `SELECT ${intersections.select} FROM ${intersections.from}
      WHERE track_id IN ${params.bindList("String", [...lists.keys()])} ORDER BY start_time, intersection_id`;
    for (const row of await ask<WireRow>(client, "intersections of tracks", sql, params)) {
      const record = intersections.toRecord(row);
      lists.get(record.trackId)?.push(record);
    }
  }
  return trackIds.map((trackId) => lists.get(trackId) ?? []);
}

/**
 * Ids of the zones that each detection was in, sorted; in the order asked. A detection is in a zone while an
 * intersection of its track and that zone runs: from its start, and once it has ended to its last detection inside.
 */
export async function zonesOfDetections(
  client: Asked,
  detections: readonly { readonly trackId: string; readonly timestamp: number }[],
): Promise<string[][]> {
  const trackIds = [...new Set(detections.map(({ trackId }) => trackId))];
  const lists = await intersectionsOfTracks(client, trackIds);
  const byTrack = new Map(trackIds.map((trackId, i) => [trackId, lists[i] ?? []]));
  return detections.map(({ trackId, timestamp }) => {
    const running = (byTrack.get(trackId) ?? []).filter(
      ({ startTime: start, endTime, lastInside }) =>
        start <= timestamp && (endTime === null || timestamp <= lastInside),
    );
    return [...new Set(running.map(({ zoneId }) => zoneId))].sort();
  });
}

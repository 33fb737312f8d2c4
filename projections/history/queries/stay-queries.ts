// Queries that intersections with zones and with geofences have in common.
import type { Sort } from "../../../schemas/filters.ts";
import { HOUR_MS } from "../../../schemas/units.ts";
import type { compile } from "../../filters/compile.ts";
import type { MayHaveTag } from "../../filters/sql/current-tag.ts";
import { all, type Params } from "../../filters/sql/sql.ts";
import type { Table, WireRow } from "../table.ts";
import { type KeyColumn, sortKey } from "./keyset.ts";
import { areMany } from "./many-rows.ts";
import { type PageKind, page } from "./page.ts";
import { createParams } from "./params.ts";
import type { Compiled } from "./question.ts";
import type { DetectionRecord, History, IntersectionRecord, Page, PageRequest, TrackRef } from "./records.ts";
import { ask, askCount, type QueryClient } from "./run.ts";
import { isOfTracks, isSeen, trackKeyOf } from "./track-refs.ts";

const id: KeyColumn = { sql: "intersection_id", type: "String" };
const startTime: KeyColumn = { sql: "start_time", type: "time" };

/**
 * The maximum time by which stored intersections may be newer than the stored detections, or than the known times of a
 * track.
 */
const MARGIN_MS = HOUR_MS;

type AnyRecord = Omit<IntersectionRecord, "zoneId">;

export interface StayDescription<Filter extends object, Stay extends AnyRecord> {
  /** The word for the intersections in the names of the queries. */
  readonly name: string;
  readonly table: Table;
  /** The column with the id of the zone or geofence. */
  readonly areaColumn: string;
  readonly select: string;
  readonly toRecord: (row: WireRow) => Stay;
  readonly compile: (filter: Filter, asking: Parameters<typeof compile>[2]) => Compiled;
  /** @returns true when the filter selects one zone or geofence. */
  readonly isOfOne: (filter: Filter) => boolean;
  readonly areaOf: (stay: Stay) => string;
  /**
   * @returns true when the detection has the polygon or position that decides about intersections. Any other detection
   * changes none.
   */
  readonly canIntersect: (detection: DetectionRef) => boolean;
}

/** The fields of a detection that decide which zones and geofences it was in. */
export type DetectionRef = Pick<DetectionRecord, "trackId" | "dataSourceId" | "timestamp" | "polygon" | "position">;

export const intersectionQueries = <Filter extends object, Stay extends AnyRecord>(
  description: StayDescription<Filter, Stay>,
) => ({
  ...listsOf(description),
  ...lookUpsOf(description),
});

function pageKindOf<Filter extends object, Stay extends AnyRecord>({
  name,
  table,
  select,
  toRecord,
}: StayDescription<Filter, Stay>): PageKind<Stay> {
  return {
    name: `${name} page`,
    from: `${table.name} FINAL`,
    select,
    toRecord,
    keyOf: (record, column) => (column === "start_time" ? record.startTime : record.intersectionId),
  };
}

function listsOf<Filter extends object, Stay extends AnyRecord>(description: StayDescription<Filter, Stay>) {
  const { name, table, areaColumn, compile, isOfOne } = description;
  const kind = pageKindOf(description);
  const keys: readonly KeyColumn[] = [{ sql: areaColumn, type: "String" }, startTime, id];

  /** Merges rows like FINAL, but only those that fulfil the condition. */
  const merge = (condition: string): string => `SELECT * FROM ${table.name} WHERE ${condition}
    ORDER BY cause_offset DESC, cause_item DESC LIMIT 1 BY ${areaColumn}, start_time, intersection_id`;

  return {
    page(
      { client, dataSourceIds }: History,
      request: PageRequest<Filter, Sort<"ID" | "START_TIME">>,
    ): Promise<Page<Stay>> {
      const key = sortKey(request.sort, { ID: id, START_TIME: startTime }, [id]);
      // The intersections of one zone or geofence are few, and lie next to one another in the table.
      const narrowed = isOfOne(request.filter) ? kind : { ...kind, narrow: () => ({ table: table.name, keys, merge }) };
      return page(client, narrowed, request, key, (params, filter) => compile(filter, { params, dataSourceIds }));
    },

    async count({ client, dataSourceIds }: History, filter: Filter): Promise<number> {
      const params = createParams();
      const { before, behind, widen, superset } = compile(filter, { params, dataSourceIds });
      if (widen === undefined) return askCount(client, `${name} count`, kind.from, all([...before, ...behind]), params);
      const isAlone = before.length === 0 && superset !== undefined;
      if (isAlone && (await areFew(client, superset, params)))
        return askCount(client, `${name} count`, widen(kind.from, [superset.condition]), all(behind), params);
      const isOfMany = await areMany(client, `${name} count`, table.name, before, params);
      return askCount(client, `${name} count`, widen(kind.from, before, isOfMany), all(behind), params);
    },
  };
}

function lookUpsOf<Filter extends object, Stay extends AnyRecord>(description: StayDescription<Filter, Stay>) {
  const { name, toRecord, areaOf, canIntersect } = description;
  const { select, from } = pageKindOf(description);

  /** One list per track, in the given order, each sorted by start time, then id. */
  async function ofTracks(client: QueryClient, tracks: readonly TrackRef[]): Promise<Stay[][]> {
    const lists = new Map<string, Stay[]>(tracks.map((track) => [trackKeyOf(track), []]));
    if (lists.size > 0) {
      const params = createParams();
      // A stay begins with a detection of its track.
      const conditions = [...isOfTracks(params, tracks), ...isSeen(params, startTime.sql, tracks, MARGIN_MS)];
      const sql = `SELECT ${select} FROM ${from} WHERE ${all(conditions)} ORDER BY start_time, intersection_id`;
      for (const row of await ask<WireRow>(client, `${name} of tracks`, sql, params)) {
        const record = toRecord(row);
        lists.get(trackKeyOf(record))?.push(record);
      }
    }
    return tracks.map((track) => lists.get(trackKeyOf(track)) ?? []);
  }

  return {
    ofTracks,

    /**
     * Returns the sorted ids of the zones or geofences that each detection was in, in the given order of the
     * detections. A detection is in one while an intersection of its track lasts: from its start and, when it has
     * ended, up to its last detection inside. A detection without a polygon is in no zone, one without a position in no
     * geofence.
     */
    async ofDetections(client: QueryClient, detections: readonly DetectionRef[]): Promise<string[][]> {
      const tracks = new Map(detections.filter(canIntersect).map((each) => [trackKeyOf(each), each]));
      const lists = await ofTracks(client, [...tracks.values()]);
      const byTrack = new Map([...tracks.keys()].map((key, i) => [key, lists[i] ?? []]));
      return detections.map((detection) => {
        if (!canIntersect(detection)) return [];
        const { timestamp } = detection;
        const running = (byTrack.get(trackKeyOf(detection)) ?? []).filter(
          ({ startTime: start, endTime, lastInside }) =>
            start <= timestamp && (endTime === null || timestamp <= lastInside),
        );
        return [...new Set(running.map(areaOf))].sort();
      });
    },
  };
}

/** With more tracks, finding their stays costs more than looking up the tags of all stays. */
const FEW_TRACKS = 100_000;

async function areFew(client: QueryClient, { tracks }: MayHaveTag, params: Params): Promise<boolean> {
  const from = `(SELECT * FROM (${tracks}) LIMIT ${FEW_TRACKS + 1})`;
  return (await askCount(client, "tracks with a tag", from, "1", params)) <= FEW_TRACKS;
}

// The same questions about the intersections of zones and about those of geofences.
import type { FilterGeofenceIntersectionInput, FilterZoneIntersectionInput, Sort } from "../../../schemas/filters.ts";
import { compile } from "../../filters/compile.ts";
import { compileApart } from "../../filters/compile-apart.ts";
import { geofenceIntersectionFields, intersectionFields } from "../../filters/intersections.ts";
import { withCurrentTag } from "../../filters/sql/current-tag.ts";
import { all, given } from "../../filters/sql/sql.ts";
import {
  geofenceIntersectionRecord,
  geofenceIntersectionSelect,
  geofenceIntersectionsTable,
} from "../geofence-intersections.ts";
import { intersectionRecord, intersectionSelect, intersectionsTable } from "../intersections.ts";
import type { Table, WireRow } from "../table.ts";
import { type KeyColumn, sortKey } from "./keyset.ts";
import { type Kind, page } from "./page.ts";
import { createParams } from "./params.ts";
import type { Compiled } from "./question.ts";
import type {
  DetectionRecord,
  GeofenceIntersectionRecord,
  History,
  IntersectionRecord,
  Page,
  PageRequest,
  TrackRef,
} from "./records.ts";
import { type Asked, ask, askCount } from "./run.ts";
import { isOfTracks, isSeen, trackKeyOf } from "./track-refs.ts";

const id: KeyColumn = { sql: "intersection_id", type: "String" };
const startTime: KeyColumn = { sql: "start_time", type: "time" };

/** How far the intersections may be ahead of the detections, or what is known of these behind. */
const MARGIN_MS = 3_600_000;

type AnyRecord = Omit<IntersectionRecord, "zoneId">;

interface Description<Filter extends object, Stay extends AnyRecord> {
  /** In the names of the queries. */
  readonly name: string;
  readonly table: Table;
  /** The column with the id of the zone or geofence. */
  readonly areaColumn: string;
  readonly select: string;
  readonly toRecord: (row: WireRow) => Stay;
  readonly compile: (filter: Filter, asking: Parameters<typeof compile>[2]) => Compiled;
  /** Whether the filter asks for one zone or geofence. */
  readonly isOfOne: (filter: Filter) => boolean;
  readonly areaOf: (stay: Stay) => string;
  /** Whether the detection can list zones or geofences; if not, it only leaves intersections as they are. */
  readonly isJudged: (detection: DetectionRef) => boolean;
}

/** Those fields of a detection that say which zones and geofences it was in. */
export type DetectionRef = Pick<DetectionRecord, "trackId" | "dataSourceId" | "timestamp" | "polygon" | "position">;

function intersectionQueries<Filter extends object, Stay extends AnyRecord>(description: Description<Filter, Stay>) {
  const { name, table, areaColumn, select, toRecord, compile, isOfOne, areaOf, isJudged } = description;
  const kind: Kind<Stay> = {
    name: `${name} page`,
    from: `${table.name} FINAL`,
    select,
    toRecord,
    keyOf: (record, column) => (column === "start_time" ? record.startTime : record.intersectionId),
  };

  const keys: readonly KeyColumn[] = [{ sql: areaColumn, type: "String" }, startTime, id];

  /** Merges rows like FINAL, but only those that fulfil the condition. */
  const merge = (condition: string): string => `SELECT * FROM ${table.name} WHERE ${condition}
    ORDER BY cause_offset DESC, cause_item DESC LIMIT 1 BY ${areaColumn}, start_time, intersection_id`;

  /** One list per asked track, in the order asked; each by start time, then id. */
  async function ofTracks(client: Asked, tracks: readonly TrackRef[]): Promise<Stay[][]> {
    const lists = new Map<string, Stay[]>(tracks.map((track) => [trackKeyOf(track), []]));
    if (lists.size > 0) {
      const params = createParams();
      // A stay begins with a detection of its track.
      const conditions = [...isOfTracks(params, tracks), ...isSeen(params, startTime.sql, tracks, MARGIN_MS)];
      const sql = `SELECT ${kind.select} FROM ${kind.from} WHERE ${all(conditions)} ORDER BY start_time, intersection_id`;
      for (const row of await ask<WireRow>(client, `${name} of tracks`, sql, params)) {
        const record = toRecord(row);
        lists.get(trackKeyOf(record))?.push(record);
      }
    }
    return tracks.map((track) => lists.get(trackKeyOf(track)) ?? []);
  }

  return {
    ofTracks,

    page(
      { client, dataSourceIds }: History,
      request: PageRequest<Filter, Sort<"ID" | "START_TIME">>,
    ): Promise<Page<Stay>> {
      const key = sortKey(request.sort, { ID: id, START_TIME: startTime }, [id]);
      // The intersections of one zone or geofence are few, and one stretch of the table.
      const narrowed = isOfOne(request.filter) ? kind : { ...kind, narrow: () => ({ table: table.name, keys, merge }) };
      return page(client, narrowed, request, key, (params, filter) => compile(filter, { params, dataSourceIds }));
    },

    count({ client, dataSourceIds }: History, filter: Filter): Promise<number> {
      const params = createParams();
      const { before, behind, widen } = compile(filter, { params, dataSourceIds });
      if (widen === undefined) return askCount(client, `${name} count`, kind.from, all([...before, ...behind]), params);
      return askCount(client, `${name} count`, widen(kind.from, before), all(behind), params);
    },

    /**
     * Ids of the zones or geofences that each detection was in, sorted; in the order asked. A detection is in one while an
     * intersection of its track runs: from its start, and once it has ended to its last detection inside. A detection without
     * a polygon is in no zone, one without a position in no geofence.
     */
    async ofDetections(client: Asked, detections: readonly DetectionRef[]): Promise<string[][]> {
      const tracks = new Map(detections.filter(isJudged).map((each) => [trackKeyOf(each), each]));
      const lists = await ofTracks(client, [...tracks.values()]);
      const byTrack = new Map([...tracks.keys()].map((key, i) => [key, lists[i] ?? []]));
      return detections.map((detection) => {
        if (!isJudged(detection)) return [];
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

export const {
  page: intersectionsPage,
  count: intersectionsCount,
  ofTracks: intersectionsOfTracks,
  ofDetections: zonesOfDetections,
} = intersectionQueries<FilterZoneIntersectionInput, IntersectionRecord>({
  name: "intersections",
  table: intersectionsTable,
  areaColumn: "zone_id",
  select: intersectionSelect,
  toRecord: intersectionRecord,
  compile(filter, asking) {
    const apart = compileApart(intersectionFields, "tag", filter, asking);
    const table = intersectionsTable.name;
    const widen = (from: string, conditions: readonly string[]) => withCurrentTag({ table, from, conditions });
    return { ...apart, widen: apart.behind.length === 0 ? undefined : widen };
  },
  isOfOne: ({ zoneId }) => given(zoneId?.eq),
  areaOf: ({ zoneId }) => zoneId,
  isJudged: ({ polygon }) => polygon !== null,
});

export const {
  page: geofenceIntersectionsPage,
  count: geofenceIntersectionsCount,
  ofTracks: geofenceIntersectionsOfTracks,
  ofDetections: geofencesOfDetections,
} = intersectionQueries<FilterGeofenceIntersectionInput, GeofenceIntersectionRecord>({
  name: "geofence intersections",
  table: geofenceIntersectionsTable,
  areaColumn: "geofence_id",
  select: geofenceIntersectionSelect,
  toRecord: geofenceIntersectionRecord,
  compile: (filter, asking) => ({ before: [compile(geofenceIntersectionFields, filter, asking)], behind: [] }),
  isOfOne: ({ geofenceId }) => given(geofenceId?.eq),
  areaOf: ({ geofenceId }) => geofenceId,
  isJudged: ({ position }) => position !== null,
});

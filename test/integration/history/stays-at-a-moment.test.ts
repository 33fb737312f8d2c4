// Stays in a zone or a geofence at a moment: the end that counts is that of the merged rows.
import type { ClickHouseClient } from "@clickhouse/client";
import { beforeAll, expect, test } from "vitest";
import {
  geofenceIntersectionsCount,
  geofenceIntersectionsPage,
  intersectionsCount,
  intersectionsPage,
} from "../../../projections/history/queries/intersections.ts";
import { createDatabase, setMerges } from "./database.ts";
import { START } from "./world.ts";

/** A stay begins in each second, and lasts ten seconds; the last ones have not ended. */
const STAYS = 100;
const LASTS_S = 10;
const NEVER_ENDS_FROM = 90;
const second = (nth: number): number => START + nth * 1_000;

let client: ClickHouseClient;

beforeAll(async () => {
  const database = await createDatabase();
  client = database.client;
  await setMerges(database, "STOP");
  for (const [table, area] of [
    ["zone_intersections_v1", "zone_id"],
    ["geofence_intersections_v1", "geofence_id"],
  ]) {
    // The first row of each stay has no end, as when a track enters; the second one has it.
    for (const version of [0, 1]) {
      const query = `INSERT INTO ${table} (intersection_id, ${area}, track_id, data_source_id, tag, start_time, end_time,
          last_inside, cause_offset)
        WITH fromUnixTimestamp64Milli(toInt64(${START} + number * 1000), 'UTC') AS at
        SELECT toString(number), concat('area-', toString(number % 2)), toString(number), 'camera', 'person', at,
          if(${version} = 1 AND number < ${NEVER_ENDS_FROM}, at + ${LASTS_S}, NULL), at, ${version}
        FROM numbers(${STAYS})`;
      await client.command({ query });
    }
  }
});

const sort = [{ field: "START_TIME", direction: "ASC" }] as const;

type Stays = { readonly edges: readonly { readonly node: { readonly intersectionId: string } }[] };
const idsOf = ({ edges }: Stays): number[] => edges.map(({ node }) => Number(node.intersectionId));
const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

test.each([
  ["a moment", { containingInstant: second(50) }, upTo(40, 50)],
  ["a moment after which nobody left", { containingInstant: second(200) }, upTo(NEVER_ENDS_FROM, STAYS - 1)],
  ["a time", { intersecting: { start: second(20), end: second(22) } }, upTo(10, 22)],
  ["the past", { before: second(15) }, upTo(0, 4)],
])("stays of %s, with those rows that were written before their ends", async (_, timeRange, expected) => {
  const history = { client, dataSourceIds: () => [] };
  const filter = { timeRange };
  const request = { filter, sort, first: STAYS };

  expect(idsOf(await intersectionsPage(history, request))).toEqual(expected);
  expect(await intersectionsCount(history, filter)).toBe(expected.length);
  expect(idsOf(await geofenceIntersectionsPage(history, request))).toEqual(expected);
  expect(await geofenceIntersectionsCount(history, filter)).toBe(expected.length);
});

test("a condition on the end counts below and, or and not, and for one zone, as well", async () => {
  const history = { client, dataSourceIds: () => [] };
  const later = { timeRange: { after: second(94) } };
  const ended = { timeRange: { endingWithin: { start: second(0), end: second(500) } } };
  const ask = async (filter: Parameters<typeof intersectionsCount>[1]) => {
    const found = idsOf(await intersectionsPage(history, { filter, sort, first: STAYS }));
    expect(await intersectionsCount(history, filter)).toBe(found.length);
    return found;
  };

  expect(await ask({ not: ended })).toEqual(upTo(NEVER_ENDS_FROM, STAYS - 1));
  expect(await ask({ or: [later, { not: ended }] })).toEqual(upTo(NEVER_ENDS_FROM, STAYS - 1));
  expect(await ask({ and: [ended], tag: { eq: "Person" } })).toEqual(upTo(0, NEVER_ENDS_FROM - 1));
  expect(await ask({ zoneId: { eq: "area-1" }, ...later })).toEqual([95, 97, 99]);
});

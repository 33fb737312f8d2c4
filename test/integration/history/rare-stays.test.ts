// Pages of the stays that a filter seldom matches: the memory of one goes with what matches, not with the range.
import type { ClickHouseClient } from "@clickhouse/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { geofenceIntersectionsPage, intersectionsPage } from "../../../projections/history/queries/intersections.ts";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { createDatabase, setMerges } from "./database.ts";
import { START } from "./world.ts";

const STAYS = 400_000;
const RARE_EVERY = 20_000;
/** Rows of one stay that are not merged yet: more than a page takes spares for at first. */
const VERSIONS = 4;
/** A tenth of what all rows of the table take when they are merged at once. */
const MEMORY_BYTES = 60_000_000;

let client: ClickHouseClient;

beforeAll(async () => {
  const database = await createDatabase();
  await setMerges(database, "STOP");
  const kinds = [
    ["zone_intersections_v1", "zone_id"],
    ["geofence_intersections_v1", "geofence_id"],
  ];
  for (const [table, area] of kinds) {
    for (let version = 0; version < VERSIONS; version++) {
      const query = `INSERT INTO ${table} (intersection_id, ${area}, track_id, data_source_id, tag, start_time, end_time,
          last_inside, cause_offset)
        WITH fromUnixTimestamp64Milli(toInt64(${START} + number), 'UTC') AS at,
          if(number % ${RARE_EVERY} = 7, 'rare', toString(number % 50)) AS word
        SELECT toString(number), concat('area-', word), toString(number), 'camera', word, at, NULL, at + ${version}, ${version}
        FROM numbers(${STAYS})`;
      await database.client.command({ query });
    }
  }
  client = createClickHouse(database.config, database.name, { max_memory_usage: String(MEMORY_BYTES) });
});

afterAll(() => client.close());

const RARE = STAYS / RARE_EVERY;
const idOf = (nth: number): string => String(nth * RARE_EVERY + 7);
const all = Array.from({ length: RARE }, (_, nth) => idOf(nth));
const rest = { dataSourceIds: () => [] };
const byStart = (direction: "ASC" | "DESC") => [{ field: "START_TIME", direction } as const];

test("few stays of a long range are found within little memory, in either direction", async () => {
  const filter = { tag: { eq: "RARE" } };
  const up = await intersectionsPage({ client, ...rest }, { filter, sort: byStart("ASC"), first: RARE + 1 });
  const down = await intersectionsPage({ client, ...rest }, { filter, sort: byStart("DESC"), first: RARE + 1 });

  expect(up.edges.map(({ node }) => node.intersectionId)).toEqual(all);
  expect(down.edges.map(({ node }) => node.intersectionId)).toEqual(all.toReversed());
  const merged = up.edges.every(({ node }) => node.lastInside === node.startTime + (VERSIONS - 1) * 1_000);
  expect(merged).toBe(true);
});

test("a page that is full says that there is more, and the next one goes on", async () => {
  const request = { filter: { tag: { eq: "rare" } }, sort: byStart("DESC"), first: 3 };
  const first = await intersectionsPage({ client, ...rest }, request);
  const next = await intersectionsPage({ client, ...rest }, { ...request, after: first.edges.at(-1)?.cursor });

  expect([first.hasNextPage, next.hasNextPage]).toEqual([true, true]);
  const ids = [...first.edges, ...next.edges].map(({ node }) => node.intersectionId);
  expect(ids).toEqual(all.toReversed().slice(0, 6));
});

test("a filter that nothing matches has an empty page", async () => {
  const filter = { tag: { eq: "never" } };
  const page = await intersectionsPage({ client, ...rest }, { filter, sort: byStart("DESC"), first: 20 });

  expect(page).toMatchObject({ edges: [], hasNextPage: false });
});

test("the same holds for geofences", async () => {
  const filter = { geofenceId: { in: ["area-rare", "unknown"] } };
  const page = await geofenceIntersectionsPage({ client, ...rest }, { filter, sort: byStart("ASC"), first: 5 });

  expect(page.edges.map(({ node }) => node.intersectionId)).toEqual(all.slice(0, 5));
});

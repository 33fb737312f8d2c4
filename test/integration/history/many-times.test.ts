import { expect, test } from "vitest";
import { detectionsPage } from "../../../projections/history/queries/detections.ts";
import { intersectionsPage } from "../../../projections/history/queries/intersections.ts";
import type { Page, PageRequest } from "../../../projections/history/queries/records.ts";
import { createGathered } from "../../../projections/history/rows/gather.ts";
import type { DetectionOrder, ZoneIntersectionsSort } from "../../../schemas/filters.ts";
import { createHistoryStore } from "../../../services/projector/history-store.ts";
import { createDatabase, type Database, setMerges } from "./database.ts";
import { createWorld, type World } from "./world.ts";

const TIMES = 5;

/** More repetitions than a page has room for. */
async function fillManyTimes({ client }: Database, world: World): Promise<void> {
  const store = createHistoryStore(client);
  for (let partition = 0; partition < TIMES; partition++) {
    const gathered = createGathered();
    for (const { message, ...recorded } of world.log) gathered.add(message, recorded);
    for (const { event, recordedAt } of world.changes)
      gathered.add({ type: "ZoneIntersectionChanged", event }, { partition: 0, offset: 0, recordedAt });
    await store.insert(gathered.byTable(), [
      { topic: "many", partition, logId: "many", rankBase: 0, first: 0, next: 1 },
    ]);
  }
}

async function walk<T>(take: (after: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const found: T[] = [];
  let after: string | undefined;
  for (;;) {
    const { edges, hasNextPage } = await take(after);
    found.push(...edges.map(({ node }) => node));
    after = edges.at(-1)?.cursor;
    if (!hasNextPage) return found;
  }
}

test("rows that stand in the tables many times over fill pages and stop none early", async () => {
  const world = createWorld(4);
  const database = await createDatabase();
  await setMerges(database, "STOP");
  await fillManyTimes(database, world);
  const history = { client: database.client, dataSourceIds: () => [] };
  const byTime: DetectionOrder[] = [{ field: "DETECTION_TIME", direction: "DESC" }];
  const byStart: ZoneIntersectionsSort[] = [{ field: "START_TIME", direction: "ASC" }];
  const of = <Sort>(sort: readonly Sort[], first: number, after: string | undefined): PageRequest<object, Sort> => ({
    filter: {},
    sort,
    first,
    after,
  });

  const detections = await walk((after) => detectionsPage(history, of(byTime, 40, after)));
  const intersections = await walk((after) => intersectionsPage(history, of(byStart, 7, after)));

  const timeOf = ({ timestamp }: { timestamp: number }) => timestamp;
  expect(detections.map(timeOf)).toEqual(world.detections.map(timeOf).sort((a, b) => b - a));
  expect(intersections.map(({ startTime }) => startTime)).toEqual(
    world.intersections.map(({ startTime }) => startTime).sort((a, b) => a - b),
  );
});

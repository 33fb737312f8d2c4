// A summary of the videos active in a range does not read more when more videos ended before the range: the store
// refuses to read more.
import type { ClickHouseClient } from "@clickhouse/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Strategy } from "../../../projections/summaries/shape.ts";
import { videosSummary } from "../../../projections/summaries/videos.ts";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { migrateDatabase } from "../../../services/projector/migrate-database.ts";
import { createDatabase, type Database } from "../history/database.ts";
import { createScene } from "./scene.ts";

const MINUTE_MS = 60_000;
/** One begins every minute and lasts for two. */
const VIDEOS = 200_000;
const START = Date.parse("2026-01-01T00:00:00.000Z");
const FROM = START + (VIDEOS - 10) * MINUTE_MS;
const MIGRATIONS = ["023_add_by_end_to_videos_v1.sql", "024_fill_by_end_of_videos_v1.sql"];

let database: Database;
let client: ClickHouseClient;

beforeAll(async () => {
  database = await createDatabase();
  await database.client.command({ query: "ALTER TABLE videos_v1 DROP PROJECTION by_end" });
  await fill("toString(number)", "number", `(1, ${at("number + 2")})`, VIDEOS);
  await fill("'open'", "7", "(1, NULL)", 1);
  // Its end was taken back by an update, which says no start.
  await fill("'reopened'", "8", `(1, ${at("9")})`, 1);
  await database.client.command({
    query: `INSERT INTO videos_v1 (data_source_id, video_id, set_end_time) SELECT 'ds', 'reopened', (2, NULL)`,
  });
  await database.client.command({
    query: "DELETE FROM migrations_v1 WHERE name IN {names:Array(String)}",
    query_params: { names: MIGRATIONS },
  });
  client = createClickHouse(database.config, database.name, { max_rows_to_read: String(VIDEOS / 4) });
});

afterAll(() => client.close());

const at = (number: string) => `fromUnixTimestamp64Milli(toInt64(${START} + (${number}) * ${MINUTE_MS}), 'UTC')`;

const fill = (id: string, start: string, end: string, count: number) =>
  database.client.command({
    query: `INSERT INTO videos_v1 (data_source_id, video_id, created, set_start_time, set_end_time)
      SELECT 'ds', ${id}, (1, ${at(start)}), (1, ${at(start)}), ${end} FROM numbers(${count})`,
  });

async function counted(strategy: Strategy, asked = client) {
  const question = { range: { from: FROM, to: FROM + MINUTE_MS }, strategy, maxBuckets: 10 };
  return (await videosSummary.summarize({ ...createScene(), client: asked, filter: {}, question })).overall;
}

async function mutationsUnderWay(): Promise<number> {
  const query = "SELECT count() AS count FROM system.mutations WHERE database = currentDatabase() AND NOT is_done";
  const [row] = await (await database.client.query({ query, format: "JSONEachRow" })).json<{ count: string }>();
  return Number(row?.count);
}

test("videos of a range are found without those that ended before it, also those that were there before the migration", async () => {
  await expect(counted("ACTIVE")).rejects.toMatchObject({ code: "158" });

  expect(await migrateDatabase(database.config, database.name)).toEqual(MIGRATIONS);
  await expect.poll(mutationsUnderWay, { timeout: 60_000 }).toBe(0);
  const [active, ended] = [await counted("ACTIVE"), await counted("ENDED")];
  const started = await counted("STARTED", database.client);

  expect(active).toMatchObject({ total: 5, started: 1, ended: 1 });
  expect([started.total, ended.total]).toEqual([1, 1]);
});

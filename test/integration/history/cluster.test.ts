// The history on a cluster, as far as the embedded engine goes: it parses every statement of the cluster's form, and
// runs all but replication (test/clickhouse-cluster/plain-form.ts) on two stand-ins for shards. `npm run
// test:clickhouse-cluster` runs all tests of the history in that way.
import { readdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { layoutOf, oneServer } from "../../../projections/history/layout/layout.ts";
import { createParams } from "../../../projections/history/queries/params.ts";
import { projectedUpTo, savePositions } from "../../../projections/history/queries/positions.ts";
import { askCount } from "../../../projections/history/queries/run.ts";
import { settleTracks } from "../../../projections/history/queries/settle.ts";
import { unsettledTable } from "../../../projections/history/unsettled.ts";
import { parseRetentionCommand, runRetentionCommand } from "../../../services/cli/retention/retention.ts";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { clickhouseEnv, loadConfig } from "../../../services/common/config.ts";
import { checkingLayout, createHistoryStore } from "../../../services/projector/history-store.ts";
import { migrateDatabase } from "../../../services/projector/migrate-database.ts";
import { startClusterEngine } from "../../clickhouse-cluster/engine.ts";
import { readText } from "../../structure/repository.ts";
import { useStack } from "../../support/running/stack.ts";
import { createDatabase, fillInAnyOrder } from "./database.ts";
import { inOrder, readEverything } from "./everything.ts";
import { createWorld, seeded } from "./world.ts";

const FOLDER = "projections/history/migrations";
const UPKEEP = [
  "CREATE DATABASE IF NOT EXISTS db",
  "ALTER TABLE detections_v1 DROP PARTITION ID '202001'",
  "DELETE FROM tracks_v1 WHERE (data_source_id, track_id) IN (SELECT data_source_id, track_id FROM tracks_to_delete_v1)",
];

test("ClickHouse parses the form of every statement on a cluster", async () => {
  const client = createClickHouse(loadConfig(clickhouseEnv, useStack().env), "default");
  onTestFinished(() => client.close());
  const layout = layoutOf({ cluster: "tracklog", database: "db" });
  const migrations = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));
  const statements = [...UPKEEP, ...migrations.map((name) => readText(`${FOLDER}/${name}`))].flatMap(layout.statements);
  /** An answer that nobody reads would hold its connection for ten seconds. */
  const parse = async (statement: string) => {
    const answer = await client.query({ query: `EXPLAIN AST ${statement}`, format: "JSON" });
    return answer.text();
  };

  expect(statements.length).toBeGreaterThan(2 * migrations.length - 5);
  for (const statement of statements) await parse(statement);
  await expect(parse(`${statements[1]} ON`)).rejects.toMatchObject({ code: "62" });
});

test("two shards answer like one server, before and after upkeep", async () => {
  const engine = await startClusterEngine(2);
  onTestFinished(engine.stop);
  const database = await createDatabase(engine.env);
  const { client, config, layout, name } = database;
  const world = createWorld(71, 60);
  await fillInAnyOrder(database, world, seeded(72), 4);
  const positions = [1, 2].map((partition) => ({ topic: "t", partition, next: 7, logId: "log", rankBase: 0 }));
  await savePositions(client, positions);

  const shards = await client.query({
    query: "SELECT _shard_num AS shard FROM tracks_v1 GROUP BY shard ORDER BY shard",
    format: "JSONEachRow",
  });
  expect(await shards.json()).toEqual([{ shard: 1 }, { shard: 2 }]);
  expect(inOrder(await readEverything(client))).toEqual(inOrder(world));
  await client.insert({
    table: unsettledTable.name,
    values: [{ track_id: "gone", touched_at: 0 }],
    format: "JSONEachRow",
  });
  await settleTracks(client, layout);
  expect(await askCount(client, "keys", unsettledTable.name, "track_id = 'gone'", createParams())).toBe(0);
  await expect(migrateDatabase({ ...config, CLICKHOUSE_CLUSTER: "" }, name)).rejects.toThrow("set CLICKHOUSE_CLUSTER");
  const projector = checkingLayout(createHistoryStore(client), client, oneServer);
  await expect(projector.loadPositions("t")).rejects.toThrow("The database holds tables of a cluster");
  expect(inOrder(await readEverything(client))).toEqual(inOrder(world));
  expect(await projectedUpTo(client, "t")).toEqual(new Map([1, 2].map((partition) => [partition, 7])));

  const lines: string[] = [];
  const all = parseRetentionCommand(["--before", "2101-01-01", "--yes"]);
  await runRetentionCommand(all, client, layout, (line) => lines.push(line));
  expect(lines.at(-1)).toMatch(/^Dropped\./);
  expect(await readEverything(client)).toEqual({ tracks: [], detections: [], intersections: [] });
});

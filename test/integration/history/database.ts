import type { ClickHouseClient } from "@clickhouse/client";
import { historyKinds } from "../../../projections/history/kinds.ts";
import { type Layout, layoutOf } from "../../../projections/history/layout/layout.ts";
import { createGathered, type TableRows } from "../../../projections/history/rows/gather.ts";
import { type ClickHouseConfig, createClickHouse } from "../../../services/common/clickhouse.ts";
import { clickhouseEnv, loadConfig } from "../../../services/common/config.ts";
import { createHistoryStore } from "../../../services/projector/history-store.ts";
import { atTheEnd } from "../../support/running/at-the-end.ts";
import { createNewDatabase } from "../../support/running/new-database.ts";
import { useStack } from "../../support/running/stack.ts";
import { type Random, shuffled, type World } from "./world.ts";

export interface Database {
  readonly name: string;
  readonly config: ClickHouseConfig;
  readonly client: ClickHouseClient;
  readonly layout: Layout;
}

/** A separate database with all tables, by default on the shared stack; it is dropped when the test file ends. */
export async function createDatabase(other?: Readonly<Record<string, string>>): Promise<Database> {
  const { env: shared, uniqueName } = useStack();
  const env = other ?? shared;
  const name = uniqueName("history");
  const config = loadConfig(clickhouseEnv, { ...env, CLICKHOUSE_DATABASE: name });
  await createNewDatabase(config, name);
  const client = createClickHouse(config);
  atTheEnd(async () => {
    await client.command({ query: `DROP DATABASE IF EXISTS ${name}` });
    await client.close();
  });
  return { name, config, client, layout: layoutOf({ cluster: config.CLICKHOUSE_CLUSTER, database: name }) };
}

/** The world's rows cut into pieces, in any order, every piece twice. */
export async function fillInAnyOrder({ client }: Database, world: World, random: Random, pieces = 12): Promise<void> {
  const batches: TableRows[][] = Array.from({ length: pieces }, () => []);
  const gathered = batches.map(() => createGathered());
  const any = () => gathered[Math.floor(random() * pieces)];
  for (const { message, ...recorded } of world.log) any()?.add(message, recorded);
  for (const { event, recordedAt } of world.changes)
    any()?.add({ type: "ZoneIntersectionChanged", event }, { partition: 0, offset: 0, recordedAt });
  const store = createHistoryStore(client);
  const twice = shuffled(random, [...gathered, ...gathered]);
  for (const [i, rows] of twice.entries()) {
    // Stretches that never repeat: deduplication by token must not hide repeated rows from the tables.
    await store.insert(rows.byTable(), [
      { topic: "any", partition: 0, logId: "any", rankBase: 0, first: i, next: i + 1 },
    ]);
  }
}

const TABLES = historyKinds.flatMap(({ tables }) => tables.map(({ name }) => name));

/** For this database's tables only: other tests share the store. */
export async function setMerges({ client }: Database, change: "STOP" | "START"): Promise<void> {
  for (const table of TABLES) await client.command({ query: `SYSTEM ${change} MERGES ${table}` });
}

export async function mergeAll({ client }: Database): Promise<void> {
  for (const table of TABLES) await client.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
}

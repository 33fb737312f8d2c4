// Brings a database to the newest form of the tables. Safe to run twice and from several processes at once: every
// statement says IF NOT EXISTS, and a migration is recorded only after it has been carried out.
import { readdir, readFile } from "node:fs/promises";
import type { ClickHouseClient } from "@clickhouse/client";
import type { Layout } from "../layout/layout.ts";
import { otherLayout } from "../queries/check-layout.ts";

const FOLDER = new URL(".", import.meta.url);
const NAME = /^\d{3}_[a-z0-9_]+\.sql$/;

const CREATE_MIGRATIONS = `
  CREATE TABLE IF NOT EXISTS migrations_v1 (name String, applied_at DateTime64(3, 'UTC') DEFAULT now64(3))
  ENGINE = ReplacingMergeTree ORDER BY name`;

export class OtherTables extends Error {
  override readonly name = "OtherTables";

  constructor(database: string) {
    super(
      `The database ${database} holds tables of another version, which this one can neither use nor change. ` +
        "Begin with an empty data directory, or set CLICKHOUSE_DATABASE to another name and run npm run rebuild.",
    );
  }
}

export class OtherLayout extends Error {
  override readonly name = "OtherLayout";
}

interface MigrateOptions {
  /** Uses a database that exists. */
  readonly admin: ClickHouseClient;
  /** Uses `database`. */
  readonly client: ClickHouseClient;
  readonly database: string;
  readonly layout: Layout;
}

/**
 * Throws OtherTables, and OtherLayout.
 * @returns the migrations that this call applied.
 */
export async function migrate({ admin, client, database, layout }: MigrateOptions): Promise<string[]> {
  await runAll(admin, layout, "CREATE DATABASE IF NOT EXISTS {database:Identifier}", { database });
  const problem = await otherLayout(client, layout);
  if (problem !== undefined) throw new OtherLayout(problem);
  await runAll(client, layout, CREATE_MIGRATIONS);
  const done = new Set(await appliedMigrations(client));
  const names = await migrationNames();
  if ([...done].some((name) => !names.includes(name))) throw new OtherTables(database);
  const applied: string[] = [];
  for (const name of names) {
    if (done.has(name)) continue;
    await runAll(client, layout, await readFile(new URL(name, FOLDER), "utf8"));
    await client.insert({ table: "migrations_v1", values: [{ name }], format: "JSONEachRow" });
    applied.push(name);
  }
  return applied;
}

async function runAll(client: ClickHouseClient, layout: Layout, statement: string, values?: Record<string, unknown>) {
  const params = values === undefined ? {} : { query_params: values };
  for (const query of layout.statements(statement)) await client.command({ query, ...params });
}

/** The migrations in the order in which they are run. Each file has one statement. */
async function migrationNames(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => NAME.test(name)).sort();
}

async function appliedMigrations(client: ClickHouseClient): Promise<string[]> {
  const result = await client.query({ query: "SELECT DISTINCT name FROM migrations_v1", format: "JSONEachRow" });
  return (await result.json<{ name: string }>()).map(({ name }) => name);
}

// Brings a database to the newest form of the tables. Safe to run twice and from several processes at once: every
// statement says IF NOT EXISTS, and a migration is recorded only after it has been carried out.
import { readdir, readFile } from "node:fs/promises";
import type { ClickHouseClient } from "@clickhouse/client";

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

/**
 * `client` uses `database`; `admin` uses one that exists. Throws OtherTables.
 * @returns the migrations that this call applied.
 */
export async function migrate(admin: ClickHouseClient, client: ClickHouseClient, database: string): Promise<string[]> {
  await admin.command({
    query: "CREATE DATABASE IF NOT EXISTS {database:Identifier}",
    query_params: { database },
  });
  await client.command({ query: CREATE_MIGRATIONS });
  const done = new Set(await appliedMigrations(client));
  const names = await migrationNames();
  if ([...done].some((name) => !names.includes(name))) throw new OtherTables(database);
  const applied: string[] = [];
  for (const name of names) {
    if (done.has(name)) continue;
    await client.command({ query: await readFile(new URL(name, FOLDER), "utf8") });
    await client.insert({ table: "migrations_v1", values: [{ name }], format: "JSONEachRow" });
    applied.push(name);
  }
  return applied;
}

/** The migrations in the order in which they are run. Each file has one statement. */
async function migrationNames(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => NAME.test(name)).sort();
}

async function appliedMigrations(client: ClickHouseClient): Promise<string[]> {
  const result = await client.query({ query: "SELECT DISTINCT name FROM migrations_v1", format: "JSONEachRow" });
  return (await result.json<{ name: string }>()).map(({ name }) => name);
}

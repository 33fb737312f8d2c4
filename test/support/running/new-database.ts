// Databases with all tables. The migrations make the first one of a process. The others are made by the statements with
// which the store describes its tables: twenty questions to the store instead of fifty.
import { type ClickHouseConfig, createClickHouse } from "../../../services/common/clickhouse.ts";
import { migrateDatabase } from "../../../services/projector/migrate-database.ts";

interface Template {
  readonly database: string;
  readonly statements: readonly string[];
  readonly migrations: readonly { readonly name: string }[];
}

/** The key is the address of a store. */
const templates = new Map<string, Promise<Template>>();

/** The caller drops it. */
export async function createNewDatabase(config: ClickHouseConfig, database: string): Promise<void> {
  // The tables of a cluster are more than the statements with which one of its servers describes them.
  if (config.CLICKHOUSE_CLUSTER !== "") return void (await migrateDatabase(config, database));
  const known = templates.get(config.CLICKHOUSE_URL);
  if (known !== undefined) return copyOf(await known, config, database);
  const first = makeTemplate(config, database);
  templates.set(config.CLICKHOUSE_URL, first);
  first.catch(() => templates.delete(config.CLICKHOUSE_URL));
  await first;
}

async function makeTemplate(config: ClickHouseConfig, database: string): Promise<Template> {
  await migrateDatabase(config, database);
  const client = createClickHouse(config, database);
  try {
    const rowsOf = async <Row>(query: string) => (await client.query({ query, format: "JSONEachRow" })).json<Row>();
    // A view needs the tables that it reads.
    const described = await rowsOf<{ create_table_query: string }>(
      "SELECT create_table_query FROM system.tables WHERE database = currentDatabase() ORDER BY engine = 'View', name",
    );
    const migrations = await rowsOf<{ name: string }>("SELECT DISTINCT name FROM migrations_v1 ORDER BY name");
    return { database, statements: described.map((table) => table.create_table_query), migrations };
  } finally {
    await client.close();
  }
}

async function copyOf({ database, statements, migrations }: Template, config: ClickHouseConfig, name: string) {
  const client = createClickHouse(config, "default");
  try {
    await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${name}` });
    for (const statement of statements) {
      const query = statement.replace(/^CREATE (TABLE|VIEW) /, "CREATE $1 IF NOT EXISTS ");
      await client.command({ query: query.replaceAll(`${database}.`, `${name}.`) });
    }
    await client.insert({ table: `${name}.migrations_v1`, values: migrations, format: "JSONEachRow" });
  } finally {
    await client.close();
  }
}

import { layoutOf } from "../../projections/history/layout/layout.ts";
import { migrate } from "../../projections/history/migrations/migrate.ts";
import { type ClickHouseConfig, createClickHouse } from "../common/clickhouse.ts";

/** Resolves with the names of the migrations that were missing. */
export async function migrateDatabase(config: ClickHouseConfig, database: string): Promise<string[]> {
  // A client of a missing database can run no query, not even one that creates it.
  const admin = createClickHouse(config, "default");
  const client = createClickHouse(config, database);
  try {
    return await migrate({
      admin,
      client,
      database,
      layout: layoutOf({ cluster: config.CLICKHOUSE_CLUSTER, database }),
    });
  } finally {
    await Promise.all([admin.close(), client.close()]);
  }
}

// npm run migrate: creates the database and its tables, or brings them to the newest form.
import { databaseOf } from "../common/clickhouse.ts";
import { loadCommandConfig } from "../common/command-config.ts";
import { orExit } from "../common/config.ts";
import { main } from "../common/lifecycle.ts";
import { createLog } from "../common/log.ts";
import { migrateEnv } from "./config.ts";
import { migrateDatabase } from "./migrate-database.ts";

const config = await orExit(() => loadCommandConfig(migrateEnv, process.env));
const log = createLog("migrate", config.LOG_LEVEL);

const database = databaseOf(config);

await main(log, async () => {
  const applied = await migrateDatabase(config, database);
  log.info({ database, applied }, "database is up to date");
});

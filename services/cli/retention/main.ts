// npm run retention -- --before DATE [--yes]
import { layoutOf } from "../../../projections/history/layout/layout.ts";
import { messageOf } from "../../../schemas/errors.ts";
import { createClickHouse, databaseOf } from "../../common/clickhouse.ts";
import { loadCommandConfig } from "../../common/command-config.ts";
import { retentionEnv } from "./config.ts";
import { parseRetentionCommand, runRetentionCommand } from "./retention.ts";

try {
  const command = parseRetentionCommand(process.argv.slice(2));
  const config = await loadCommandConfig(retentionEnv, process.env);
  const client = createClickHouse(config);
  const layout = layoutOf({ cluster: config.CLICKHOUSE_CLUSTER, database: databaseOf(config) });
  try {
    await runRetentionCommand(command, client, layout, (line) => process.stdout.write(`${line}\n`));
  } finally {
    await client.close();
  }
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

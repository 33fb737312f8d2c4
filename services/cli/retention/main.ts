// npm run retention -- --before DATE [--yes]
import { messageOf } from "../../../schemas/errors.ts";
import { createClickHouse } from "../../common/clickhouse.ts";
import { loadCommandConfig } from "../../common/command-config.ts";
import { retentionEnv } from "./config.ts";
import { parseRetentionCommand, runRetentionCommand } from "./retention.ts";

try {
  const command = parseRetentionCommand(process.argv.slice(2));
  const client = createClickHouse(await loadCommandConfig(retentionEnv, process.env));
  try {
    await runRetentionCommand(command, client, (line) => process.stdout.write(`${line}\n`));
  } finally {
    await client.close();
  }
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

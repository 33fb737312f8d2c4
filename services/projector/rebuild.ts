// npm run rebuild -- --database NAME: projects the log from its beginning to its present end into another database.

import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { groupName } from "../../schemas/topics.ts";
import { createClickHouse } from "../common/clickhouse.ts";
import { loadCommandConfig } from "../common/command-config.ts";
import { ConfigError, orExit } from "../common/config.ts";
import { createKafka } from "../common/kafka/client.ts";
import { settingsCheck } from "../common/kafka/read/settings-check.ts";
import { main, run, stopRequested } from "../common/lifecycle.ts";
import { createLog } from "../common/log.ts";
import { awaitCodec } from "../common/registry/await-codec.ts";
import { assembleProjector } from "./assemble.ts";
import { projectorEnv } from "./config.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { endsNow, untilReached } from "./reach-ends.ts";
import { countRows, isEmpty } from "./row-counts.ts";

const stopSignal = stopRequested();
const database = await orExit(requestedDatabase);
const config = await orExit(() => loadCommandConfig(projectorEnv, process.env));
const log = createLog("rebuild", config.LOG_LEVEL);

await main(log, async () => {
  await migrateDatabase(config, database);
  const client = createClickHouse(config, database);
  const groupId = groupName(config.TRACKLOG_NAMESPACE, `rebuild.${randomUUID()}`);
  const kafka = createKafka("tracklog-rebuild", config, log);
  const admin = kafka.admin();
  await admin.connect();
  try {
    if (!(await isEmpty(client))) throw new ConfigError(`the database ${database} already holds rows`);
    const reached = untilReached();
    const onWait = (failure: object) => log.warn(failure, "waiting for the schema registry");
    const codec = await awaitCodec({ registry: config, stopSignal, onWait });
    if (codec === undefined) throw new Error("stopped before the registry answered");
    const { parts, topics } = assembleProjector({
      config,
      codec,
      log,
      groupId,
      database,
      deadLetters: false,
      onStored: reached.stored,
    });
    reached.wait(await endsNow(admin, topics));
    const { TRACKLOG_NAMESPACE: namespace, KAFKA_SESSION_TIMEOUT_MS: sessionTimeoutMs } = config;
    const check = settingsCheck({ kafka, namespace, config, isFolding: true, sessionTimeoutMs, log });
    await run([check, ...parts], Promise.race([reached.done, stopSignal]), log);
    await admin.deleteGroups([groupId]).catch((error) => log.debug({ err: error }, "group not removed"));
    if (!reached.isDone()) throw new Error("stopped before the end of the log");
    process.stdout.write(`${JSON.stringify({ database, rows: await countRows(client) })}\n`);
  } finally {
    await Promise.all([client.close(), admin.disconnect()]);
  }
});

function requestedDatabase(): string {
  const { values } = parseArgs({ options: { database: { type: "string" } } });
  if (/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(values.database ?? "")) return values.database ?? "";
  throw new ConfigError("--database NAME wants the name of the database to fill: letters, digits and _ only.");
}

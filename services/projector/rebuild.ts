// npm run rebuild -- --database NAME [--with-older] [--follow]: projects the log from its beginning to its present end
// into another database. With --with-older it first copies what the log no longer has. With --follow it then continues
// until it is stopped, so that readers can change over to that database.

import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { groupName } from "../../schemas/topics.ts";
import { createClickHouse, databaseOf } from "../common/clickhouse.ts";
import { loadCommandConfig } from "../common/command-config.ts";
import { ConfigError, orExit } from "../common/config.ts";
import { createKafka } from "../common/kafka/client.ts";
import { settingsCheck } from "../common/kafka/read/settings-check.ts";
import { main, run, stopRequested } from "../common/lifecycle.ts";
import { createLog } from "../common/log.ts";
import { awaitCodec } from "../common/registry/await-codec.ts";
import { assembleProjector } from "./assemble.ts";
import { projectorEnv } from "./config.ts";
import { copyOlder } from "./copy-older.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { endsNow, untilReached } from "./reach-ends.ts";
import { countRows, isEmpty } from "./row-counts.ts";

const stopSignal = stopRequested();
const { database, withOlder, follow } = await orExit(parseRebuildCommand);
const config = await orExit(loadRebuildConfig);
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
    const { TRACKLOG_NAMESPACE: namespace, KAFKA_SESSION_TIMEOUT_MS: sessionTimeoutMs } = config;
    if (withOlder) await copyOlder({ kafka, client, from: databaseOf(config), namespace });
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
    const check = settingsCheck({ kafka, namespace, config, isFolding: true, sessionTimeoutMs, log });
    const printed = reached.done.then(async () => {
      process.stdout.write(`${JSON.stringify({ database, rows: await countRows(client) })}\n`);
    });
    // A count that fails must not end a rebuild that follows; it is reported when the rebuild stops.
    printed.catch(() => undefined);
    await run([check, ...parts], follow ? stopSignal : Promise.race([printed, stopSignal]), log);
    await admin.deleteGroups([groupId]).catch((error) => log.debug({ err: error }, "group not removed"));
    if (!reached.isDone()) throw new Error("stopped before the end of the log");
    await printed;
  } finally {
    await Promise.all([client.close(), admin.disconnect()]);
  }
});

async function loadRebuildConfig() {
  const loaded = await loadCommandConfig(projectorEnv, process.env);
  if (!withOlder || databaseOf(loaded) !== database) return loaded;
  throw new ConfigError(
    `--with-older copies from the serving database, and CLICKHOUSE_DATABASE names ${database} as that: ` +
      "--database wants another one.",
  );
}

function parseRebuildCommand() {
  const flag = { type: "boolean", default: false } as const;
  const options = { database: { type: "string" }, "with-older": flag, follow: flag } as const;
  const { database = "", "with-older": withOlder, follow } = parseArgs({ options }).values;
  if (/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(database)) return { database, withOlder, follow };
  throw new ConfigError("--database NAME wants the name of the database to fill: letters, digits and _ only.");
}

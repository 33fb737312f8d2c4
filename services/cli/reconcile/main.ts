// npm run reconcile [-- --yes]
import { parseArgs } from "node:util";
import { messageOf } from "../../../schemas/errors.ts";
import { createClickHouse } from "../../common/clickhouse.ts";
import { loadCommandConfig } from "../../common/command-config.ts";
import { createKafka } from "../../common/kafka/client.ts";
import { createLog } from "../../common/log.ts";
import { createRedisClient } from "../../common/redis/cluster.ts";
import { reconcileEnv } from "./config.ts";
import { reconcile } from "./reconcile.ts";

try {
  const { values } = parseArgs({ options: { yes: { type: "boolean", default: false } } });
  const config = await loadCommandConfig(reconcileEnv, process.env);
  const log = createLog("reconcile", "silent");
  const kafka = createKafka("tracklog-reconcile", config, log);
  const admin = kafka.admin();
  const clickhouse = createClickHouse(config);
  const redis = createRedisClient(config, log);
  try {
    await Promise.all([admin.connect(), redis.start()]);
    const done = await reconcile(values.yes, {
      kafka,
      admin,
      redis: redis.client,
      clickhouse,
      namespace: config.TRACKLOG_NAMESPACE,
      print: (line) => process.stdout.write(`${line}\n`),
    });
    if (!done) process.exitCode = 1;
  } finally {
    await Promise.all([admin.disconnect(), redis.stop(), clickhouse.close()]);
  }
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}

/** The broker's error does not name the missing topic. */
function describeError(error: unknown): string {
  const missing = error instanceof Error && "type" in error && error.type === "UNKNOWN_TOPIC_OR_PARTITION";
  return missing ? "A topic is missing: see TRACKLOG_NAMESPACE, or run npm run topics." : messageOf(error);
}

import { awaitCodec } from "../../schemas/await-codec.ts";
import { groupName, topicsOf } from "../../schemas/topics.ts";
import { databaseOf } from "../common/clickhouse.ts";
import { loadConfig, orExit } from "../common/config.ts";
import { createKafka } from "../common/kafka/client.ts";
import { topicsCheck } from "../common/kafka/provision.ts";
import { main, run, stopRequested } from "../common/lifecycle.ts";
import { createLog } from "../common/log.ts";
import { assemble } from "./assemble.ts";
import { projectorEnv } from "./config.ts";

const stopSignal = stopRequested();
const config = await orExit(() => loadConfig(projectorEnv, process.env));
const log = createLog("projector", config.LOG_LEVEL);
const registryUrl = config.SCHEMA_REGISTRY_URL;
const onWait = (failure: object) => log.warn(failure, "waiting for the schema registry");
const topics = topicsCheck(
  createKafka("tracklog-projector", config, log),
  topicsOf(config.TRACKLOG_NAMESPACE, config.CAMERA_PARTITIONS, config.CAMERA_LOG_RETENTION_MS),
  config.TOPIC_REPLICATION_FACTOR,
);

await main(log, async () => {
  const codec = await awaitCodec({ registryUrl, stopSignal, onWait });
  if (codec === undefined) return;
  const { parts } = assemble({
    config,
    codec,
    log,
    groupId: groupName(config.TRACKLOG_NAMESPACE, "projector"),
    database: databaseOf(config),
    deadLetters: true,
  });
  await run([topics, ...parts], stopSignal, log);
});

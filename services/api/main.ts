import { awaitCodec } from "../../schemas/await-codec.ts";
import { topicsOf } from "../../schemas/topics.ts";
import { loadConfig, orExit } from "../common/config.ts";
import { createKafka } from "../common/kafka/client.ts";
import { topicsCheck } from "../common/kafka/provision.ts";
import { main, run, stopRequested } from "../common/lifecycle.ts";
import { createLog } from "../common/log.ts";
import { assemble } from "./assemble.ts";
import { apiEnv } from "./config.ts";

const stopSignal = stopRequested();
const config = await orExit(() => loadConfig(apiEnv, process.env));
const log = createLog("api", config.LOG_LEVEL);
const registryUrl = config.SCHEMA_REGISTRY_URL;
const onWait = (failure: object) => log.warn(failure, "waiting for the schema registry");
const topics = topicsCheck(
  createKafka("tracklog-api", config, log),
  topicsOf(config.TRACKLOG_NAMESPACE, config.CAMERA_PARTITIONS, config.CAMERA_LOG_RETENTION_MS),
  config.TOPIC_REPLICATION_FACTOR,
);

await main(log, async () => {
  const codec = await awaitCodec({ registryUrl, stopSignal, onWait });
  if (codec !== undefined) await run([topics, ...(await assemble(config, codec, log))], stopSignal, log);
});

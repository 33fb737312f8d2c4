import { createCodec } from "../../schemas/codec.ts";
import { topicName } from "../../schemas/topics.ts";
import { loadConfig } from "../common/config.ts";
import { createKafka } from "../common/kafka/client.ts";
import { createGroupReader } from "../common/kafka/group-reader.ts";
import { createPublisher } from "../common/kafka/publisher.ts";
import { main, run, stopRequested } from "../common/lifecycle.ts";
import { createLog } from "../common/log.ts";
import { createRedis } from "../common/redis.ts";
import { stateMachineEnv } from "./config.ts";
import { createLiveStore } from "./live-store.ts";
import { createOutputs } from "./outputs.ts";
import { createStateMachine } from "./state-machine.ts";
import { takeOver } from "./take-over.ts";

const stopSignal = stopRequested();
const config = loadConfig(stateMachineEnv, process.env);
const log = createLog("state-machine", config.LOG_LEVEL);

await main(log, async () => {
  const namespace = config.TRACKLOG_NAMESPACE;
  const groupPrefix = topicNamePrefix(namespace);
  const kafka = createKafka("tracklog-state-machine", config.KAFKA_BROKERS, log);
  const codec = await createCodec(config.SCHEMA_REGISTRY_URL);
  const outputs = createOutputs(codec, namespace);
  const redis = createRedis(config.REDIS_URL, log);
  const store = createLiveStore(redis.client, namespace);
  const settings = {
    trackTtlMs: config.TRACK_TTL * 1_000,
    reorderMs: config.REORDER_MS,
    updateIntervalMs: config.INTERSECTION_UPDATE_MS,
    forgetAfterMs: config.FORGET_TRACK_MS,
  };
  const publisher = createPublisher({
    kafka,
    topics: Object.values(outputs.topics),
    log,
    lingerMs: 0,
    maxBatchBytes: 4 * 1024 * 1024,
    maxQueueBytes: 256 * 1024 * 1024,
    timeoutMs: 30_000,
    // What was not acknowledged is looked up before it is written again.
    retries: 0,
  });
  const reader = createGroupReader({
    kafka,
    groupId: `${groupPrefix}state-machine`,
    topics: [topicName(namespace, "camera-log")],
    log,
    sessionTimeoutMs: config.KAFKA_SESSION_TIMEOUT_MS,
  });
  const stateMachine = createStateMachine({
    reader,
    publisher,
    store,
    codec,
    outputs,
    log,
    settings,
    maxFutureMs: config.MAX_FUTURE_MS,
    now: Date.now,
    takeOver: (partitions) =>
      takeOver(
        {
          kafka,
          codec,
          store,
          log,
          settings,
          lookbackMs: config.REBUILD_LOOKBACK_MS,
          groupPrefix: `${groupPrefix}state-machine`,
          topics: outputs.topics,
        },
        partitions,
        Date.now(),
      ),
  });
  await run([redis, publisher, stateMachine], stopSignal, log);
});

function topicNamePrefix(namespace: string): string {
  return namespace === "" ? "tracklog." : `${namespace}.`;
}

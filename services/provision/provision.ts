// Creates what is missing on the broker and in the registry. May be run any number of times.
import { createCodec } from "../../schemas/codec.ts";
import { type Topic, topicName, topics } from "../../schemas/topics.ts";
import { createKafka } from "../common/kafka/client.ts";
import { provideTopics, type TopicToProvide } from "../common/kafka/provision.ts";
import type { Log } from "../common/log.ts";
import type { ProvisionConfig } from "./config.ts";

/** Resolves with the names of the topics that were created. */
export async function provision(config: ProvisionConfig, log: Log): Promise<readonly string[]> {
  const admin = createKafka("tracklog-provision", config.KAFKA_BROKERS, log).admin();
  await admin.connect();
  try {
    const created = await provideTopics(admin, wantedTopics(config), config.TOPIC_REPLICATION_FACTOR);
    await createCodec(config.SCHEMA_REGISTRY_URL);
    return created;
  } finally {
    await admin.disconnect();
  }
}

function wantedTopics(config: ProvisionConfig): TopicToProvide[] {
  return (Object.keys(topics) as Topic[]).map((topic) => {
    const spec = topics[topic];
    return {
      name: topicName(config.TRACKLOG_NAMESPACE, topic),
      partitions: spec.partitions === 1 ? 1 : config.CAMERA_PARTITIONS,
      cleanup: spec.cleanup,
      retentionMs: topic === "camera-log" ? config.CAMERA_LOG_RETENTION_MS : spec.retentionMs,
    };
  });
}

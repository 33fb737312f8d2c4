// Creates what is missing on the broker and in the registry. May be run any number of times.

import { topicsOf } from "../../../schemas/topics.ts";
import { createKafka } from "../../common/kafka/client.ts";
import { provideTopics } from "../../common/kafka/provision.ts";
import type { Log } from "../../common/log.ts";
import { createCodec } from "../../common/registry/codec.ts";
import type { ProvisionConfig } from "./config.ts";

/** Resolves with the names of the topics that were created. Rejects when one that exists is not as asked. */
export async function provision(config: ProvisionConfig, log: Log): Promise<readonly string[]> {
  const admin = createKafka("tracklog-provision", config, log).admin();
  await admin.connect();
  try {
    const wanted = topicsOf(config.TRACKLOG_NAMESPACE, config.CAMERA_PARTITIONS, config.CAMERA_LOG_RETENTION_MS);
    const created = await provideTopics(admin, wanted, config.TOPIC_REPLICATION_FACTOR);
    await createCodec(config.SCHEMA_REGISTRY_URL);
    return created;
  } finally {
    await admin.disconnect();
  }
}

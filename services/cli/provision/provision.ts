// Creates missing topics and schemas on the broker and in the registry. May be run any number of times.

import { topicsOf } from "../../../schemas/topics.ts";
import { createKafka } from "../../common/kafka/client.ts";
import { type Provided, provideTopics } from "../../common/kafka/write/provision.ts";
import type { Log } from "../../common/log.ts";
import { createCodec } from "../../common/registry/codec.ts";
import type { ProvisionConfig } from "./config.ts";

/** Rejects when a topic differs from its settings in a way that cannot be mended without a loss. */
export async function provision(config: ProvisionConfig, log: Log): Promise<Provided> {
  const admin = createKafka("tracklog-provision", config, log).admin();
  await admin.connect();
  try {
    const wanted = topicsOf(config.TRACKLOG_NAMESPACE, config.CAMERA_PARTITIONS, config.CAMERA_LOG_RETENTION_MS);
    const provided = await provideTopics(admin, wanted, config.TOPIC_REPLICATION_FACTOR);
    await createCodec(config);
    return provided;
  } finally {
    await admin.disconnect();
  }
}

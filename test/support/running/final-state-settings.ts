// Settings with which the group notices a death, and a track expires, within seconds.
import kafkajs from "kafkajs";
import { kafkaEnv, loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createLog } from "../../../services/common/log.ts";

export const TTL_MS = 4_000;

const WANTED_SESSION_MS = 3_000;
const MIN_SESSION = "group.min.session.timeout.ms";

/** A dead process keeps its partitions for the session time-out, whose minimum is the broker's. */
export async function quickSettings(env: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const kafka = createKafka("test", loadConfig(kafkaEnv, env), createLog("test", "silent"));
  const admin = kafka.admin();
  await admin.connect();
  try {
    const { brokers: nodes } = await admin.describeCluster();
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [
        { type: kafkajs.ConfigResourceTypes.BROKER, name: String(nodes[0]?.nodeId), configNames: [MIN_SESSION] },
      ],
    });
    const least = Number(resources[0]?.configEntries[0]?.configValue);
    return {
      KAFKA_SESSION_TIMEOUT_MS: String(Math.max(WANTED_SESSION_MS, least)),
      TRACK_TTL: String(TTL_MS / 1_000),
    };
  } finally {
    await admin.disconnect();
  }
}

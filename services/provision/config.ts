import { z } from "zod";
import { integer, kafkaEnv, logEnv, namespaceEnv, registryEnv } from "../common/config.ts";

export const provisionEnv = z.object({
  ...kafkaEnv.shape,
  ...registryEnv.shape,
  ...namespaceEnv.shape,
  ...logEnv.shape,
  /** Partitions of the topics keyed by data source. Fixed for a log's life: keys would change their partition. */
  CAMERA_PARTITIONS: integer(12, 1, 1_000),
  CAMERA_LOG_RETENTION_MS: integer(7 * 86_400_000, 1),
  TOPIC_REPLICATION_FACTOR: integer(1, 1, 9),
});

export type ProvisionConfig = z.output<typeof provisionEnv>;

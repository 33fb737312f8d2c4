import { z } from "zod";
import { kafkaEnv, logEnv, namespaceEnv, registryEnv, topicsEnv } from "../../common/config.ts";

export const provisionEnv = z.object({
  ...kafkaEnv.shape,
  ...registryEnv.shape,
  ...namespaceEnv.shape,
  ...topicsEnv.shape,
  ...logEnv.shape,
});

export type ProvisionConfig = z.output<typeof provisionEnv>;

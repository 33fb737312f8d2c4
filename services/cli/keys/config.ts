import { z } from "zod";
import { kafkaEnv, namespaceEnv, redisEnv, registryEnv } from "../../common/config.ts";
import { secretsEnv } from "../../common/sealed.ts";

export const keysEnv = z.object({
  ...kafkaEnv.shape,
  ...registryEnv.shape,
  ...namespaceEnv.shape,
  ...redisEnv.shape,
  ...secretsEnv.shape,
});

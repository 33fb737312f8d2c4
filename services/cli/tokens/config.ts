import { z } from "zod";
import { kafkaEnv, namespaceEnv, registryEnv } from "../../common/config.ts";

export const tokensEnv = z.object({
  ...kafkaEnv.shape,
  ...registryEnv.shape,
  ...namespaceEnv.shape,
});

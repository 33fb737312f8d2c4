import { z } from "zod";
import { clickhouseEnv, kafkaEnv, namespaceEnv, redisEnv } from "../../common/config.ts";

export const reconcileEnv = z.object({
  ...kafkaEnv.shape,
  ...redisEnv.shape,
  ...clickhouseEnv.shape,
  ...namespaceEnv.shape,
});

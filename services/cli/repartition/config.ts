import { z } from "zod";
import { clickhouseEnv, kafkaEnv, logEnv, redisEnv, registryEnv, topicsEnv } from "../../common/config.ts";

/** The settings of the present namespace. */
export const repartitionEnv = z.object({
  ...kafkaEnv.shape,
  ...registryEnv.shape,
  ...redisEnv.shape,
  ...clickhouseEnv.shape,
  ...topicsEnv.shape,
  ...logEnv.shape,
});

export type RepartitionConfig = z.output<typeof repartitionEnv>;

import { z } from "zod";
import { kafkaEnv, namespaceEnv, registryEnv, topicsEnv } from "../../common/config.ts";
import { foldEnv } from "../../common/fold-config.ts";

export const importStretchEnv = z.object({
  ...kafkaEnv.shape,
  ...registryEnv.shape,
  ...namespaceEnv.shape,
  ...topicsEnv.shape,
  ...foldEnv.shape,
});

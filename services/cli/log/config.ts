import { z } from "zod";
import { clickhouseEnv, kafkaEnv, namespaceEnv, registryEnv, topicsEnv } from "../../common/config.ts";
import { foldEnv } from "../../common/fold-config.ts";
import { recordedEnv } from "../../recorded/config.ts";

export const exportEnv = z.object({
  ...kafkaEnv.shape,
  ...registryEnv.shape,
  ...namespaceEnv.shape,
  ...clickhouseEnv.shape,
  /** The state machine must have the same values: replays of the file take them from it. */
  ...foldEnv.shape,
  ...recordedEnv.shape,
});

export type ExportConfig = z.output<typeof exportEnv>;

export const importStretchEnv = z.object({
  ...kafkaEnv.shape,
  ...registryEnv.shape,
  ...namespaceEnv.shape,
  ...topicsEnv.shape,
  ...foldEnv.shape,
});

import { z } from "zod";
import { clickhouseEnv, kafkaEnv, namespaceEnv, registryEnv } from "../../common/config.ts";
import { foldEnv } from "../../common/fold-config.ts";
import { outboundEnv } from "../../common/outbound/config.ts";
import { recordedEnv } from "../../recorded/config.ts";

export const replayCommandEnv = z.object({
  ...kafkaEnv.shape,
  ...registryEnv.shape,
  ...namespaceEnv.shape,
  ...clickhouseEnv.shape,
  ...outboundEnv.shape,
  /** The state machine must have the same values: otherwise the signals differ from the original ones. */
  ...foldEnv.shape,
  ...recordedEnv.shape,
});

export type ReplayCommandConfig = z.output<typeof replayCommandEnv>;

import { z } from "zod";
import { eventBoundsEnv } from "../../../schemas/bounds.ts";
import { clickhouseEnv, kafkaEnv, namespaceEnv, registryEnv } from "../../common/config.ts";
import { foldEnv } from "../../common/fold-config.ts";
import { outboundEnv } from "../../common/outbound/config.ts";
import { recordedEnv } from "../../recorded/config.ts";

/** Settings of a run that reads a stretch file: no store, and the settings of the fold are in the file. */
export const fileReplayEnv = z.object({
  ...outboundEnv.shape,
  ...eventBoundsEnv.shape,
  ...recordedEnv.shape,
});

export type FileReplayConfig = z.output<typeof fileReplayEnv>;

export const replayCommandEnv = z.object({
  ...kafkaEnv.shape,
  ...registryEnv.shape,
  ...namespaceEnv.shape,
  ...clickhouseEnv.shape,
  ...fileReplayEnv.shape,
  /** The state machine must have the same values: otherwise the signals differ from the original ones. */
  ...foldEnv.shape,
});

export type ReplayCommandConfig = z.output<typeof replayCommandEnv>;

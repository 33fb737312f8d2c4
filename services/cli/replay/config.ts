import { z } from "zod";
import { foldEnv } from "../../common/fold-config.ts";
import { outboundEnv } from "../../common/outbound/config.ts";
import { recordedEnv, recordedStoresEnv } from "../../recorded/config.ts";

/** Settings of a run that reads a stretch file. Those of the fold limit the ones that are in the file. */
export const fileReplayEnv = z.object({
  ...outboundEnv.shape,
  ...foldEnv.shape,
  ...recordedEnv.shape,
});

export type FileReplayConfig = z.output<typeof fileReplayEnv>;

export const replayCommandEnv = z.object({ ...recordedStoresEnv.shape, ...outboundEnv.shape });

export type ReplayCommandConfig = z.output<typeof replayCommandEnv>;

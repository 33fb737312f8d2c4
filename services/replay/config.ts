import { z } from "zod";
import { DAY_MS, HOUR_MS, MIB } from "../../schemas/units.ts";
import { clickhouseEnv, integer, redisEnv, serviceEnv } from "../common/config.ts";
import { foldEnv } from "../common/fold-config.ts";
import { outboundEnv } from "../common/outbound/config.ts";
import { secretsEnv } from "../common/sealed.ts";
import { tracingEnv } from "../common/tracing/config.ts";
import { recordedEnv } from "../recorded/config.ts";

export const replayEnv = z.object({
  ...serviceEnv.shape,
  ...tracingEnv.shape,
  ...redisEnv.shape,
  ...clickhouseEnv.shape,
  ...outboundEnv.shape,
  ...secretsEnv.shape,
  /** The state machine must have the same values: otherwise the signals differ from the original ones. */
  ...foldEnv.shape,
  ...recordedEnv.shape,
  REPLAY_SESSIONS: integer(100, 1, 10_000).meta({
    about:
      "Sessions that one process runs at a time. Further ones wait. A session also waits while its token " +
      "has as many places of the process as are free.",
  }),
  REPLAY_LOAD_PERCENT: integer(25, 1, 100).meta({
    about: "Share of one core that replays may use, because live processing needs the processor, too.",
  }),
  REPLAY_IDLE_MS: integer(HOUR_MS, 1_000).meta({
    about: "Time after which a session ends that waits for a step or to be resumed.",
  }),
  REPLAY_KEEP_MS: integer(DAY_MS, 1_000).meta({ about: "Time for which an ended session can be queried." }),
  REPLAY_KEEP_SESSIONS: integer(100, 1, 1_000).meta({
    about: "Ended sessions of a token that are kept, the newest ones.",
  }),
  REPLAY_KEEP_BYTES: integer(MIB, 1_024).meta({ about: "Size of the ended sessions of a token that are kept." }),
});

export type ReplayConfig = z.output<typeof replayEnv>;

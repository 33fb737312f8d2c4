import { z } from "zod";
import { DAY_MS, HOUR_MS, MIB } from "../../schemas/units.ts";
import { clickhouseEnv, integer, redisEnv, serviceEnv } from "../common/config.ts";
import { foldEnv } from "../common/fold-config.ts";
import { outboundEnv } from "../common/outbound/config.ts";
import { secretsEnv } from "../common/sealed.ts";

export const replayEnv = z.object({
  ...serviceEnv.shape,
  ...redisEnv.shape,
  ...clickhouseEnv.shape,
  ...outboundEnv.shape,
  ...secretsEnv.shape,
  /** The state machine must have the same values: otherwise the signals differ from the original ones. */
  ...foldEnv.shape,
  /**
   * Sessions that one process runs at a time; further ones wait. A session also waits while its token has as many
   * places of the process as are free.
   */
  REPLAY_SESSIONS: integer(100, 1, 10_000),
  /** Simultaneous reads of the log and the history by all sessions together: live processing needs the stores, too. */
  REPLAY_READS: integer(2, 1, 64),
  /** Percentage of one core that replays may use: live processing needs the processor, too. */
  REPLAY_LOAD_PERCENT: integer(25, 1, 100),
  /**
   * A session begins to read at most this long before its tracks, ms, so that it includes other tracks that were
   * already present.
   */
  REPLAY_WARM_UP_MS: integer(HOUR_MS),
  /** Milliseconds within which a receiver must have answered. */
  REPLAY_TIMEOUT_MS: integer(10_000, 100, 60_000),
  /** Milliseconds for which a delivery is retried before it is given up. */
  REPLAY_RETRY_FOR_MS: integer(30_000),
  /** Number of deliveries in a row that must be given up for a session to end. */
  REPLAY_STOP_AFTER_FAILURES: integer(5, 1),
  /** Milliseconds without a step after which a manual session ends. */
  REPLAY_IDLE_MS: integer(HOUR_MS, 1_000),
  /** Milliseconds for which an ended session can be queried. */
  REPLAY_KEEP_MS: integer(DAY_MS, 1_000),
  /** Number of ended sessions of a token that are kept, the newest ones. */
  REPLAY_KEEP_SESSIONS: integer(100, 1, 1_000),
  /** Bytes of the ended sessions of a token that are kept. */
  REPLAY_KEEP_BYTES: integer(MIB, 1_024),
});

export type ReplayConfig = z.output<typeof replayEnv>;

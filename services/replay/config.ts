import { z } from "zod";
import {
  clickhouseEnv,
  integer,
  kafkaEnv,
  logEnv,
  namespaceEnv,
  opsEnv,
  redisEnv,
  registryEnv,
  topicsEnv,
} from "../common/config.ts";
import { foldEnv } from "../common/fold-config.ts";
import { outboundEnv } from "../common/outbound/config.ts";
import { secretsEnv } from "../common/sealed.ts";

export const replayEnv = z.object({
  ...kafkaEnv.shape,
  ...topicsEnv.shape,
  ...registryEnv.shape,
  ...redisEnv.shape,
  ...clickhouseEnv.shape,
  ...namespaceEnv.shape,
  ...logEnv.shape,
  ...opsEnv.shape,
  ...outboundEnv.shape,
  ...secretsEnv.shape,
  /** As the state machine has them: otherwise the signals are not those of then. */
  ...foldEnv.shape,
  /** Sessions that one process runs at a time; further ones wait, and those of a token also while it has as many as are free. */
  REPLAY_SESSIONS: integer(100, 1, 10_000),
  /** Reads of the log and the history at a time, of all sessions together: the live path needs the stores, too. */
  REPLAY_READS: integer(2, 1, 64),
  /** Of one core: the live path needs the processor, too. */
  REPLAY_LOAD_PERCENT: integer(25, 1, 100),
  /** How far before its tracks a session begins at most, for other tracks that were there already. */
  REPLAY_WARM_UP_MS: integer(3_600_000),
  /** A receiver must have answered within this. */
  REPLAY_TIMEOUT_MS: integer(10_000, 100, 60_000),
  /** How long a delivery is tried again before it is given up. */
  REPLAY_RETRY_FOR_MS: integer(30_000),
  /** So many deliveries in a row that were given up end a session. */
  REPLAY_STOP_AFTER_FAILURES: integer(5, 1),
  /** A session in the mode manual that nobody steps for so long ends. */
  REPLAY_IDLE_MS: integer(3_600_000, 1_000),
  /** How long an ended session can be looked at. */
  REPLAY_KEEP_MS: integer(86_400_000, 1_000),
  /** The newest ended sessions of a token can be looked at, so many ... */
  REPLAY_KEEP_SESSIONS: integer(100, 1, 1_000),
  /** ... and of so many bytes together. */
  REPLAY_KEEP_BYTES: integer(1_048_576, 1_024),
});

export type ReplayConfig = z.output<typeof replayEnv>;

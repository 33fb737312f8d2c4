// Settings of everything that replays: sessions, and commands.
import { z } from "zod";
import { HOUR_MS } from "../../schemas/units.ts";
import { clickhouseEnv, integer, kafkaEnv, namespaceEnv, registryEnv } from "../common/config.ts";
import { foldEnv } from "../common/fold-config.ts";

export const recordedEnv = z.object({
  REPLAY_READS: integer(2, 1, 64).meta({
    about:
      "Simultaneous reads of the log and the history by all sessions of a process together, or by all its requests for " +
      "past moments, because live processing needs the stores, too.",
  }),
  REPLAY_WARM_UP_MS: integer(HOUR_MS).meta({
    about:
      "Longest time before its tracks at which a session begins to read, so that it includes other tracks " +
      "that were already present. The state of a zone at a past moment includes them likewise.",
  }),
  REPLAY_TIMEOUT_MS: integer(10_000, 100, 60_000).meta({ about: "Time within which a receiver must have answered." }),
  REPLAY_RETRY_FOR_MS: integer(30_000).meta({ about: "Time for which a delivery is retried before it is given up." }),
  REPLAY_STOP_AFTER_FAILURES: integer(5, 1).meta({
    about: "Deliveries in a row that must be given up for a session to end.",
  }),
});

/** Settings of a command that reads the recorded log and the history. */
export const recordedStoresEnv = z.object({
  ...kafkaEnv.shape,
  ...registryEnv.shape,
  ...namespaceEnv.shape,
  ...clickhouseEnv.shape,
  /** The state machine must have the same values: otherwise signals differ from the original ones. */
  ...foldEnv.shape,
  ...recordedEnv.shape,
});

// Settings of everything that replays: sessions, and the command.
import { z } from "zod";
import { HOUR_MS } from "../../schemas/units.ts";
import { integer } from "../common/config.ts";

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

import { z } from "zod";
import { eventBoundsEnv } from "../../schemas/bounds.ts";
import { clickhouseEnv, integer, logEnv, serviceEnv } from "../common/config.ts";
import { tracingEnv } from "../common/tracing/config.ts";

export const projectorEnv = z.object({
  ...serviceEnv.shape,
  ...tracingEnv.shape,
  ...clickhouseEnv.shape,
  /** Events that exceed these limits are dead-lettered. */
  ...eventBoundsEnv.shape,
  PROJECTOR_FLUSH_MS: integer(200, 0, 10_000).meta({
    about: "Time for which rows wait for others in the same insert. ClickHouse prefers few and large inserts.",
  }),
  PROJECTOR_MAX_FLUSH_MS: integer(1_000, 0, 10_000).meta({
    about:
      "Longest time for which rows wait when many arrive: a flush waits PROJECTOR_FLUSH_MS for each 1 000 rows that it has after the first of these times. Fewer and larger inserts cost ClickHouse less.",
  }),
  PROJECTOR_FLUSH_ROWS: integer(100_000, 1, 200_000).meta({
    about: "Rows at which an insert begins before PROJECTOR_FLUSH_MS has passed.",
  }),
  HISTORY_RETENTION_MONTHS: integer(0, 0, 1_200).meta({
    about: "Months of history that are kept before the current one; 0 keeps all.",
  }),
});

export type ProjectorConfig = z.output<typeof projectorEnv>;

export const migrateEnv = z.object({ ...clickhouseEnv.shape, ...logEnv.shape });

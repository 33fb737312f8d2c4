import { z } from "zod";
import { eventBoundsEnv } from "../../schemas/bounds.ts";
import {
  clickhouseEnv,
  integer,
  kafkaEnv,
  logEnv,
  namespaceEnv,
  opsEnv,
  registryEnv,
  topicsEnv,
} from "../common/config.ts";

export const projectorEnv = z.object({
  ...kafkaEnv.shape,
  ...topicsEnv.shape,
  ...registryEnv.shape,
  ...clickhouseEnv.shape,
  ...namespaceEnv.shape,
  ...logEnv.shape,
  ...opsEnv.shape,
  /** Events beyond these bounds are dead-lettered. */
  ...eventBoundsEnv.shape,
  /** How long rows wait for others to be inserted with; ClickHouse likes few and large inserts. */
  PROJECTOR_FLUSH_MS: integer(200, 0, 10_000),
  /** A flush begins early at this many rows. */
  PROJECTOR_FLUSH_ROWS: integer(20_000, 1, 200_000),
  /** This many months of history before the current one are kept; 0: all. */
  HISTORY_RETENTION_MONTHS: integer(0, 0, 1_200),
});

export type ProjectorConfig = z.output<typeof projectorEnv>;

export const migrateEnv = z.object({ ...clickhouseEnv.shape, ...logEnv.shape });

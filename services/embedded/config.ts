import { z } from "zod";
import { dataDirEnv, flag, integer } from "../common/config.ts";

export const launcherEnv = z.object({
  ...dataDirEnv.shape,
  /** Reachable from this machine only: embedded stores are for development and single machines. */
  API_HOST: z.string().default("127.0.0.1"),
  API_PORT: integer(4_000, 1, 65_535),
  STATE_API_HOST: z.string().default("127.0.0.1"),
  STATE_API_PORT: integer(8_080, 1, 65_535),
  /** Plays a generated scene at the start. */
  DEMO: flag(true),
});

export type LauncherConfig = z.output<typeof launcherEnv>;

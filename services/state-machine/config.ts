import { z } from "zod";
import { FOLD_VERSION } from "../../schemas/fold-version.ts";
import { DAY_MS } from "../../schemas/units.ts";
import { integer, redisEnv, serviceEnv } from "../common/config.ts";
import { foldEnv } from "../common/fold-config.ts";
import { tracingEnv } from "../common/tracing/config.ts";

const surroundings = { ...serviceEnv.shape, ...tracingEnv.shape, ...redisEnv.shape };

export const stateMachineEnv = z.object({
  ...surroundings,
  ...foldEnv.shape,
  REBUILD_LOOKBACK_MS: integer(DAY_MS, 1).meta({
    about: "Shortest time for which the log is read back when Redis has no position.",
  }),
  FOLD_GATHER_MS: integer(10, 0, 1_000).meta({
    about: "Milliseconds for which messages gather before the next fetch of a state machine that keeps up.",
  }),
  FOLD_MAX_GATHER_MS: integer(100, 0, 1_000).meta({
    about:
      "Longest time for which messages gather when many come: they gather for FOLD_GATHER_MS for each megabyte in a second, which is some 7 000 detections. A track is saved once for all its detections that gathered, so this saves processor time.",
  }),
});

export type StateMachineConfig = z.output<typeof stateMachineEnv>;

const WITHOUT_EFFECT_ON_RESULTS: ReadonlySet<string> = new Set([
  ...Object.keys(surroundings),
  "REBUILD_LOOKBACK_MS",
  "FOLD_GATHER_MS",
  "FOLD_MAX_GATHER_MS",
]);

/**
 * Returns the version of the fold and the settings that shape results, as one text: instances that share a log must
 * agree on it.
 */
export function agreedSettings(config: StateMachineConfig): string {
  const shaping = Object.entries({ FOLD_VERSION, ...config }).filter(([name]) => !WITHOUT_EFFECT_ON_RESULTS.has(name));
  return shaping.map(([name, value]) => `${name}=${value}`).join(" ");
}

import { z } from "zod";
import { integer, kafkaEnv, logEnv, namespaceEnv, opsEnv, redisEnv, registryEnv, topicsEnv } from "../common/config.ts";
import { foldEnv } from "../common/fold-config.ts";

const surroundings = {
  ...kafkaEnv.shape,
  ...topicsEnv.shape,
  ...registryEnv.shape,
  ...redisEnv.shape,
  ...namespaceEnv.shape,
  ...logEnv.shape,
  ...opsEnv.shape,
};

export const stateMachineEnv = z.object({
  ...surroundings,
  ...foldEnv.shape,
  /** How far back the log is read at least when Redis has nothing to go on from. */
  REBUILD_LOOKBACK_MS: integer(86_400_000, 1),
});

export type StateMachineConfig = z.output<typeof stateMachineEnv>;

const WITHOUT_EFFECT_ON_RESULTS: ReadonlySet<string> = new Set([...Object.keys(surroundings), "REBUILD_LOOKBACK_MS"]);

/** Settings that shape results, as one text: instances that share a log must agree on it. */
export function agreedSettings(config: StateMachineConfig): string {
  const shaping = Object.entries(config).filter(([name]) => !WITHOUT_EFFECT_ON_RESULTS.has(name));
  return shaping.map(([name, value]) => `${name}=${value}`).join(" ");
}

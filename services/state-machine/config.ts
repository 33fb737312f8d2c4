import { z } from "zod";
import { eventBoundsEnv } from "../../schemas/bounds.ts";
import { integer, kafkaEnv, logEnv, namespaceEnv, opsEnv, redisEnv, registryEnv, topicsEnv } from "../common/config.ts";

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
  /** Events beyond these bounds are left out here, and the projector dead-letters them. */
  ...eventBoundsEnv.shape,
  /** Seconds without a detection after which a track has expired. */
  TRACK_TTL: z.coerce.number().positive().default(15).describe("a number of seconds above 0"),
  /** How long detections are held to be folded in timestamp order; 0 = late ones change nothing. */
  REORDER_MS: integer(0),
  /** Least event time between two UPDATEs of one intersection. */
  INTERSECTION_UPDATE_MS: integer(1_000),
  /** How long an ended track is remembered, so that it can go on and late detections of it change nothing. */
  FORGET_TRACK_MS: integer(3_600_000, 1),
  /** How many of them per partition at most: those that a fast import ends must fit into memory, 2.3 kB each. */
  REMEMBERED_TRACKS: integer(50_000, 1),
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

// The faults of a chaos run with their times: the same for the same seed, on every machine.
import { createRandom, type Random, seedFor } from "../../../services/cli/demo/scene/random.ts";
import type { PartName } from "../../../services/embedded/protocol.ts";
import { NODES } from "../../support/running/kafka-cluster.ts";
import type { ServiceName } from "../../support/running/processes.ts";

export type Fault =
  | { readonly kind: "kill"; readonly service: ServiceName }
  | { readonly kind: "terminate"; readonly service: ServiceName }
  | { readonly kind: "kill webhooks" }
  /** A new process whose clock is wrong by so much for so long, and then right: it jumps ahead or back. */
  | { readonly kind: "wrong clock"; readonly service: ServiceName; readonly aheadMs: number; readonly ms: number }
  | { readonly kind: "hang"; readonly service: ServiceName; readonly ms: number }
  /** Instances that join, work for so long, and leave or die. */
  | { readonly kind: "guests"; readonly ms: number; readonly die: boolean }
  | { readonly kind: "flood"; readonly ms: number }
  | { readonly kind: "rude subscribers"; readonly subscribers: number }
  | { readonly kind: "kill store"; readonly store: PartName }
  | { readonly kind: "away"; readonly store: PartName; readonly ms: number }
  | { readonly kind: "freeze"; readonly store: PartName; readonly ms: number }
  | { readonly kind: "flush redis" }
  /** One of the three brokers is killed, and is away for so long: its partitions get other leaders. */
  | { readonly kind: "broker away"; readonly node: number; readonly ms: number }
  /** The same while the state machine writes the outputs of many detections in one round. */
  | { readonly kind: "surge"; readonly node: number; readonly ms: number };

export interface Strike {
  /** From the start of the run; later when the one before it in its lane takes longer. */
  readonly atMs: number;
  readonly fault: Fault;
}

/** Within a lane one follows the other; between lanes they overlap. */
export interface Schedule {
  readonly services: readonly Strike[];
  readonly stores: readonly Strike[];
}

const SERVICES: readonly ServiceName[] = ["api", "projector", "state-machine"];
const STORES: readonly PartName[] = ["kafka", "registry", "redis", "clickhouse"];
const LONGEST_AWAY_MS = 30_000;
/** Well beyond the session time-out. */
const LONGEST_HANG_MS = 15_000;
/** Most absences are short; some are as long as an operator takes to notice. */
const LONG_SHARE = 0.15;

export function createSchedule(seed: number, minutes: number): Schedule {
  const endMs = minutes * 60_000;
  return {
    services: lane(createRandom(seedFor(seed, 1)), endMs, { leastMs: 500, mostMs: 8_000 }, serviceFault),
    stores: lane(createRandom(seedFor(seed, 2)), endMs, { leastMs: 3_000, mostMs: 20_000 }, storeFault),
  };
}

interface Pause {
  readonly leastMs: number;
  readonly mostMs: number;
}

function lane(random: Random, endMs: number, pause: Pause, next: (random: Random) => Fault): Strike[] {
  const strikes: Strike[] = [];
  let atMs = 0;
  for (;;) {
    atMs += Math.round(random.between(pause.leastMs, pause.mostMs));
    if (atMs >= endMs) return strikes;
    const fault = next(random);
    strikes.push({ atMs, fault });
    if ("ms" in fault) atMs += fault.ms;
  }
}

function serviceFault(random: Random): Fault {
  const chance = random.next();
  if (chance < 0.28) return { kind: "kill", service: pick(random, SERVICES) };
  if (chance < 0.33) return { kind: "kill webhooks" };
  if (chance < 0.4) {
    const aheadMs = Math.round(random.between(5_000, 3_600_000)) * (random.chance(0.5) ? 1 : -1);
    const ms = Math.round(random.between(1_000, 8_000));
    return { kind: "wrong clock", service: pick(random, SERVICES), aheadMs, ms };
  }
  if (chance < 0.52) {
    return { kind: "hang", service: pick(random, SERVICES), ms: Math.round(random.between(500, LONGEST_HANG_MS)) };
  }
  if (chance < 0.7) return { kind: "terminate", service: pick(random, SERVICES) };
  if (chance < 0.86) {
    return { kind: "guests", ms: Math.round(random.between(500, 6_000)), die: random.chance(0.5) };
  }
  if (chance < 0.94) return { kind: "flood", ms: Math.round(random.between(1_000, 4_000)) };
  return { kind: "rude subscribers", subscribers: 30 + random.below(90) };
}

function storeFault(random: Random): Fault {
  const chance = random.next();
  const store = pick(random, STORES);
  const long = random.chance(LONG_SHARE);
  const ms = Math.round(long ? random.between(10_000, LONGEST_AWAY_MS) : random.between(200, 8_000));
  const node = random.below(NODES);
  if (chance < 0.2) return { kind: "kill store", store };
  if (chance < 0.5) return { kind: "away", store, ms };
  if (chance < 0.68) return { kind: "freeze", store, ms };
  if (chance < 0.8) return { kind: "broker away", node, ms };
  if (chance < 0.86) return { kind: "surge", node, ms };
  return { kind: "flush redis" };
}

function pick<T>(random: Random, from: readonly T[]): T {
  const found = from[random.below(from.length)];
  if (found === undefined) throw new Error("nothing to pick from");
  return found;
}

// Carries out the faults in the order of the schedule.
import { setTimeout as delay } from "node:timers/promises";
import type { Stores } from "../../../services/embedded/stores.ts";
import type { Inspector } from "../../support/clients/final-state-inspector.ts";
import type { KafkaCluster } from "../../support/running/kafka-cluster.ts";
import type { System } from "../../support/running/launch-system.ts";
import { type ServiceName, type ServiceProcess, until } from "../../support/running/processes.ts";
import { floodSystem } from "../flood-system.ts";
import { rudeSubscribers } from "../rude-subscribers.ts";
import { away, freeze, hang, killStore } from "../strike.ts";
import type { BatchReceiver } from "./batch-receiver.ts";
import type { Fault, Strike } from "./schedule.ts";
import { sendSurge } from "./surge.ts";

export interface Victim {
  readonly system: System;
  readonly stores: Stores;
  readonly cluster: KafkaCluster;
  readonly inspector: Inspector;
  readonly batches: BatchReceiver;
  readonly print: (text: string) => void;
}

export interface Inflicted {
  /** To be called after all faults: resolves with what is still wrong, if anything. */
  readonly checks: readonly Check[];
  /** Failures that the state at the end may not show. */
  readonly complaints: readonly string[];
}

type Check = () => Promise<string | undefined>;

const RUDE_MESSAGES = 400;
const STARTED_WITHIN_MS = 180_000;
const MOST_MIB = 2_048;
/** A process has begun its work by then. */
const STARTING_MS = 3_000;

/** Leaves out faults that are due after `endMs` because an earlier one took longer than planned. */
export async function inflict(strikes: readonly Strike[], endMs: number, victim: Victim): Promise<Inflicted> {
  const checks: Check[] = [];
  const complaints: string[] = [];
  const startedAt = performance.now();
  for (const { atMs, fault } of strikes) {
    await delay(Math.max(0, startedAt + atMs - performance.now()));
    if (performance.now() - startedAt > endMs) break;
    victim.print(`${(atMs / 1_000).toFixed(1)} s: ${describe(fault)}`);
    const begunAt = performance.now();
    const check = await strike(fault, victim, complaints);
    if (check !== undefined) checks.push(check);
    victim.print(`  ${describe(fault)} took ${((performance.now() - begunAt) / 1_000).toFixed(1)} s`);
  }
  return { checks, complaints };
}

async function strike(fault: Fault, victim: Victim, complaints: string[]): Promise<Check | undefined> {
  const { system, stores, inspector } = victim;
  switch (fault.kind) {
    case "kill":
      await system.services[fault.service].kill();
      system.services[fault.service] = await startSomehow(system, fault.service);
      return undefined;
    case "terminate": {
      const leaving = system.services[fault.service];
      const code = await leaving.stop();
      if (code !== 0) complaints.push(`${fault.service} ended with code ${code} when told to stop`);
      system.services[fault.service] = await startSomehow(system, fault.service);
      return undefined;
    }
    case "kill webhooks":
      await victim.batches.killWebhooks();
      return undefined;
    case "wrong clock":
      await system.services[fault.service].kill();
      system.services[fault.service] = await startSomehow(system, fault.service, wrongClock(fault));
      await delay(fault.ms);
      return undefined;
    case "hang":
      await hang(system.services[fault.service].pid, fault.ms);
      return undefined;
    case "guests": {
      const guests = await Promise.all(
        (["state-machine", "projector"] as const).map((name) => startSomehow(system, name)),
      );
      await delay(fault.ms);
      await Promise.all(guests.map((guest) => (fault.die ? guest.kill() : guest.stop())));
      return undefined;
    }
    case "flood": {
      const flooded = await floodSystem(system, { durationMs: fault.ms });
      if (flooded.others.length > 0) complaints.push(`a flood was answered with ${flooded.others[0]}`);
      if (flooded.mostMib > MOST_MIB) complaints.push(`a flood made the API ${flooded.mostMib} MiB large`);
      return async () => {
        const missing = await flooded.missing();
        if (missing.length > 0) return `of ${flooded.accepted} accepted in a flood ${missing.length} are lost`;
        return undefined;
      };
    }
    case "rude subscribers": {
      const { mostMib } = await rudeSubscribers(system, { subscribers: fault.subscribers, messages: RUDE_MESSAGES });
      if (mostMib > MOST_MIB) complaints.push(`rude subscribers made the API ${mostMib} MiB large`);
      return undefined;
    }
    case "kill store":
      await killStore(stores, fault.store);
      return undefined;
    case "away":
      await away(stores, fault.store, fault.ms);
      return undefined;
    case "freeze":
      await freeze(stores, fault.store, fault.ms);
      return undefined;
    case "flush redis":
      // A Redis that is away cannot be flushed; the next attempt follows.
      await until(async () => (await inspector.flush()) === "OK", { timeoutMs: STARTED_WITHIN_MS });
      return undefined;
    case "broker away":
      await brokerAway(victim, fault.node, fault.ms);
      return undefined;
    case "surge": {
      const surge = await sendSurge(system, inspector);
      await brokerAway(victim, fault.node, fault.ms);
      return surge.wrong;
    }
    default:
      return fault satisfies never;
  }
}

async function brokerAway({ cluster }: Victim, index: number, ms: number): Promise<void> {
  const node = cluster.nodes[index];
  if (node === undefined) throw new Error(`there is no broker ${index}`);
  await node.halt();
  await delay(ms);
  await node.start();
}

/** Acts as a supervisor in production: starts a process again that ended because a store is away. */
async function startSomehow(system: System, name: ServiceName, env = {}): Promise<ServiceProcess> {
  return until(() => system.start(name, env), { timeoutMs: STARTED_WITHIN_MS, pauseMs: 500 });
}

/** The variables of a process whose Date is wrong from its first line on, and right some time after its start. */
function wrongClock({ aheadMs, ms }: { readonly aheadMs: number; readonly ms: number }) {
  const shift = `const now = Date.now; Date.now = () => now() + (performance.now() < ${STARTING_MS + ms} ? ${aheadMs} : 0);`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shift)}` };
}

function describe(fault: Fault): string {
  const details = Object.entries(fault).flatMap(([name, value]) => (name === "kind" ? [] : [`${name} ${value}`]));
  return [fault.kind, ...details].join(", ");
}

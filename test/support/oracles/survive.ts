// The measure of every fault: a load goes on during the fault, and the end is as without it.
import assert from "node:assert/strict";
import { keepListening, type Listener, listen } from "../clients/subscriber-stays.ts";
import type { PreparedSystem, System } from "../running/launch-system.ts";
import { until } from "../running/processes.ts";
import { settled } from "../running/settled.ts";
import { type Load, type LoadOptions, patientClient, startLoad } from "../scenes/load.ts";
import { type ObjectLoad, startObjectLoad } from "../scenes/object-load.ts";
import { oracleOf } from "../scenes/play-scene.ts";
import { firstDifference } from "./compare.ts";
import { expectUndisturbed, type FinalState } from "./final-state.ts";

export interface World<S extends PreparedSystem = System> {
  readonly system: S;
  readonly load: Load;
  /** A subscriber that resumes with the cursor of its last message whenever it loses its subscription. */
  readonly listener: Listener;
}

export interface SurviveOptions extends LoadOptions {
  /** The one with which the system was started. */
  readonly ttlMs: number;
  /** Objects of the catalog and the like are written besides, too. */
  readonly objects?: boolean;
}

const OBJECT_PAUSE_MS = 2_000;
/** How long a system may take to catch up after a fault. */
const SETTLE_MS = 120_000;

/** Rejects with the first difference between the result and that of an undisturbed system. */
export async function survive<S extends PreparedSystem>(
  system: S,
  { ttlMs, objects = false, ...options }: SurviveOptions,
  disturb: (world: World<S>) => Promise<void>,
): Promise<FinalState> {
  // On a busy machine the state machine of a new system may take longer to begin than the API waits for it.
  const listener = await listen({ ...system, client: patientClient(system.client) });
  const stopListening = keepListening(listener);
  try {
    const load = await startLoad(system.client, options);
    const ofObjects = { seed: options.seed, pauseMs: OBJECT_PAUSE_MS };
    const objectLoad = objects ? await startObjectLoad(system.client, ofObjects) : undefined;
    await disturb({ system, load, listener });
    load.conclude();
    await load.done;
    await objectLoad?.stop();
    const state = await expectUndisturbed(system, load.stage, ttlMs, SETTLE_MS);
    await expectReceived(listener, load, ttlMs);
    if (objectLoad !== undefined) await expectAcknowledged(objectLoad);
    return state;
  } finally {
    stopListening();
    listener.stop();
  }
}

/** Everything once, in order, over all its connections. */
async function expectReceived(listener: Listener, { stage }: Load, ttlMs: number): Promise<void> {
  const zoneIds = new Set(stage.flatMap((camera) => [...camera.zoneIds.values()]));
  const oracle = oracleOf(stage, ttlMs);
  const difference = () => firstDifference({ oracle, subscriber: listener.stays(zoneIds) });
  await settled(() => difference() === undefined);
  assert.ok(difference() === undefined, difference());
  assert.deepEqual(listener.faults(zoneIds), [], "what the subscriber was told");
}

/** Instances may lag behind what another has acknowledged. */
async function expectAcknowledged(objects: ObjectLoad): Promise<void> {
  await settled(async () => (await objects.differences()).length === 0);
  assert.deepEqual(await objects.differences(), [], "objects that differ from what was acknowledged");
}

/** Waits until the API has accepted so many more mutations; rejects at once if the scene is too short for them. */
export async function progress({ load }: World, mutations: number): Promise<void> {
  const goal = load.counts().accepted + mutations;
  const reached = () => load.counts().accepted >= goal;
  await until(() => reached() || load.heldBack(), { timeoutMs: 120_000 });
  assert.ok(reached(), "the scene ended before the fault: give it more seconds or longer pauses");
}

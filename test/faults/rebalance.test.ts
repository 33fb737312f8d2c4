// Instances share the partitions, and hand them over as they join and leave.
import { expect, test } from "vitest";
import { historyKinds } from "../../projections/history/kinds.ts";
import { topics } from "../../schemas/topics.ts";
import { createRandom } from "../../services/cli/demo/scene/random.ts";
import { progress, survive } from "../support/oracles/survive.ts";
import { quickSettings, TTL_MS } from "../support/running/final-state-settings.ts";
import { type ServiceProcess, until } from "../support/running/processes.ts";
import { PARTITIONS, shareSystem } from "../support/running/system.ts";
import { AT_WORK } from "./at-work.ts";
import { extent } from "./extent.ts";

/** The number of partitions of all topics that the projector reads. */
const PROJECTED = historyKinds.reduce((sum, { topic }) => sum + (topics[topic].partitions === 1 ? 1 : PARTITIONS), 0);

const sharedSystem = shareSystem(quickSettings);

test("instances share the partitions; one that stops and one that dies hand over without loss or double", async () => {
  const system = sharedSystem();
  const { services, start } = system;

  await survive(system, { ttlMs: TTL_MS, seed: 21, pauseMs: 150, seconds: 120 }, async (world) => {
    const [secondMachine, secondProjector] = await Promise.all([start("state-machine"), start("projector")]);
    await until(() => machinesOwn(services["state-machine"]) === PARTITIONS / 2 && machinesOwn(secondMachine) > 0);
    const ofProjectors = () => [services.projector, secondProjector].map(projectorsOwn);
    await until(() => Math.min(...ofProjectors()) > 0 && ofProjectors().reduce((a, b) => a + b) === PROJECTED);
    await progress(world, 100);

    expect(await Promise.all([services["state-machine"].stop(), services.projector.stop()])).toEqual([0, 0]);
    await until(() => machinesOwn(secondMachine) === PARTITIONS && projectorsOwn(secondProjector) === PROJECTED);
    await progress(world, 100);

    const [thirdMachine, thirdProjector] = await Promise.all([start("state-machine"), start("projector")]);
    await until(() => machinesOwn(thirdMachine) > 0 && projectorsOwn(thirdProjector) > 0);
    await progress(world, 100);
    await Promise.all([secondMachine.kill(), secondProjector.kill()]);
    await until(() => machinesOwn(thirdMachine) === PARTITIONS);
    Object.assign(services, { "state-machine": thirdMachine, projector: thirdProjector });
  });
});

test("hand-overs in a row, each in the midst of work, write nothing twice", async () => {
  const system = sharedSystem();

  const load = { seed: 22, pauseMs: 40, cameras: 6, fps: 8, seconds: extent.sceneSeconds };
  await survive(system, { ttlMs: TTL_MS, ...load }, async () => {
    for (let handOver = 0; handOver < extent.handOvers; handOver++) {
      const next = await system.start("state-machine");
      await until(() => machinesOwn(next) > 0);
      expect(await system.services["state-machine"].stop()).toBe(0);
      system.services["state-machine"] = next;
    }
  });
});

test("instances that come and go every few seconds, some by kill -9, change nothing of the end", async () => {
  const system = sharedSystem();
  const random = createRandom(23);

  await survive(system, { ttlMs: TTL_MS, seed: 23, pauseMs: 200, seconds: extent.sceneSeconds }, async () => {
    for (let storm = 0; storm < extent.storms; storm++) {
      const guests = await Promise.all([system.start("state-machine"), system.start("projector")]);
      await new Promise((resolve) => setTimeout(resolve, random.between(0, 3_000)));
      await Promise.all(guests.map((guest) => (random.chance(0.5) ? guest.stop() : guest.kill())));
    }
  });
});

const machinesOwn = (service: ServiceProcess): number => lastOf(service, AT_WORK["state-machine"])?.length ?? 0;
const projectorsOwn = (service: ServiceProcess): number => lastOf(service, AT_WORK.projector) ?? 0;

/** The newest `partitions` in a log line with this text. */
function lastOf(service: ServiceProcess, text: string) {
  const line = service
    .output()
    .split("\n")
    .findLast((candidate) => candidate.includes(`"msg":"${text}"`));
  return line === undefined ? undefined : JSON.parse(line).partitions;
}

import { expect, test } from "vitest";
import { topics } from "../../schemas/topics.ts";
import { expectUndisturbed } from "../support/final-state.ts";
import { quickSettings, TTL_MS } from "../support/final-state-settings.ts";
import { type Load, startLoad } from "../support/load.ts";
import { type ServiceProcess, until } from "../support/processes.ts";
import { useStack } from "../support/stack.ts";
import { startSystem } from "../support/system.ts";

const PARTITIONS = topics["camera-log"].partitions;

test("instances share the partitions; one that stops and one that dies hand over without loss or double", async () => {
  const system = await startSystem(await quickSettings(useStack().env.KAFKA_BROKERS));
  const { services, start } = system;
  const load = await startLoad(system.client, { seed: 21, pauseMs: 60 });

  const [secondMachine, secondProjector] = await Promise.all([start("state-machine"), start("projector")]);
  await until(() => machinesOwn(services["state-machine"]) === PARTITIONS / 2 && machinesOwn(secondMachine) > 0);
  // It reads two topics of as many partitions.
  await until(() => projectorsOwn(services.projector) === PARTITIONS && projectorsOwn(secondProjector) > 0);
  await progress(load, 100);

  expect(await Promise.all([services["state-machine"].stop(), services.projector.stop()])).toEqual([0, 0]);
  await until(() => machinesOwn(secondMachine) === PARTITIONS && projectorsOwn(secondProjector) === 2 * PARTITIONS);
  await progress(load, 100);

  const [thirdMachine, thirdProjector] = await Promise.all([start("state-machine"), start("projector")]);
  await until(() => machinesOwn(thirdMachine) > 0 && projectorsOwn(thirdProjector) > 0);
  await progress(load, 100);
  await Promise.all([secondMachine.kill(), secondProjector.kill()]);
  await progress(load, 100);
  load.hurry();
  await load.done;

  await expectUndisturbed(system, load.stage, TTL_MS);
  expect(machinesOwn(thirdMachine)).toBe(PARTITIONS);
});

test("four hand-overs in a row, each in the midst of work, write nothing twice", async () => {
  const system = await startSystem(await quickSettings(useStack().env.KAFKA_BROKERS));
  const load = await startLoad(system.client, { seed: 22, pauseMs: 40, cameras: 6, fps: 8, seconds: 70 });
  let current = system.services["state-machine"];

  for (let handOver = 0; handOver < 4; handOver++) {
    const next = await system.start("state-machine");
    await until(() => machinesOwn(next) > 0);
    expect(await current.stop()).toBe(0);
    current = next;
  }
  load.hurry();
  await load.done;

  await expectUndisturbed(system, load.stage, TTL_MS);
});

async function progress(load: Load, mutations: number): Promise<void> {
  const goal = load.counts().accepted + mutations;
  await until(() => load.counts().accepted >= goal);
}

const machinesOwn = (service: ServiceProcess): number => lastOf(service, "partitions taken over")?.length ?? 0;
const projectorsOwn = (service: ServiceProcess): number => lastOf(service, "partitions assigned") ?? 0;

/** The newest `partitions` that a log line with this text tells. */
function lastOf(service: ServiceProcess, text: string) {
  const line = service
    .output()
    .split("\n")
    .findLast((candidate) => candidate.includes(`"msg":"${text}"`));
  return line === undefined ? undefined : JSON.parse(line).partitions;
}

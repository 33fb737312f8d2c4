// kill -9, ten times per service, at seeded moments of a load: the end is as if nothing had happened.
import { expect, test } from "vitest";
import { createRandom } from "../../projections/scene/random.ts";
import { expectUndisturbed } from "../support/final-state.ts";
import { quickSettings, TTL_MS } from "../support/final-state-settings.ts";
import { startLoad } from "../support/load.ts";
import { type ServiceName, until } from "../support/processes.ts";
import { useStack } from "../support/stack.ts";
import { type System, startSystem } from "../support/system.ts";

const KILLS = 10;

/** What a service logs when it has begun to work on its share of the log. */
const AT_WORK: Readonly<Record<ServiceName, string>> = {
  "state-machine": "partitions taken over",
  projector: "partitions assigned",
  api: "ready",
};

test.each([
  ["state-machine", 11],
  ["projector", 12],
  ["api", 13],
] as const)("ten times kill -9 of the %s during a load change nothing of the end", async (name, seed) => {
  const system = await startSystem(await quickSettings(useStack().env.KAFKA_BROKERS));
  const load = await startLoad(system.client, { seed, pauseMs: 100, seconds: 90 });
  const random = createRandom(seed);

  for (let kill = 0; kill < KILLS; kill++) {
    // Half of the deaths hit a service at work, the others wherever it is on the way there.
    if (random.chance(0.5)) await atWork(system, name);
    await new Promise((resolve) => setTimeout(resolve, random.between(0, 1_000)));
    await system.restart(name);
  }
  expect(load.counts().accepted).toBeGreaterThan(KILLS);
  load.hurry();
  await load.done;

  await expectUndisturbed(system, load.stage, TTL_MS);
});

const atWork = ({ services }: System, name: ServiceName) =>
  until(() => services[name].output().includes(AT_WORK[name]), { timeoutMs: 30_000 });

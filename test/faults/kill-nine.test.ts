// kill -9 at seeded moments of a load.
import { expect, test } from "vitest";
import { createRandom } from "../../services/cli/demo/scene/random.ts";
import { survive } from "../support/oracles/survive.ts";
import { quickSettings, TTL_MS } from "../support/running/final-state-settings.ts";
import { type ServiceName, until } from "../support/running/processes.ts";
import { type System, shareSystem } from "../support/running/system.ts";
import { AT_WORK } from "./at-work.ts";
import { extent } from "./extent.ts";

const sharedSystem = shareSystem(quickSettings);

test.each([
  ["state-machine", 11],
  ["projector", 12],
  ["api", 13],
] as const)("kill -9 of the %s, again and again, changes nothing of the end", async (name, seed) => {
  const system = sharedSystem();
  const random = createRandom(seed);

  const options = { seed, ttlMs: TTL_MS, objects: true, pauseMs: 200, seconds: extent.sceneSeconds };
  await survive(system, options, async ({ load }) => {
    for (let kill = 0; kill < extent.kills; kill++) {
      // Half of the kills hit a service at work, the others one that is still starting.
      if (random.chance(0.5)) await atWork(system, name);
      await new Promise((resolve) => setTimeout(resolve, random.between(0, 1_000)));
      await system.restart(name);
    }
    expect(load.counts().accepted).toBeGreaterThan(extent.kills);
  });
});

/** An API that is ready is at work; its start has waited for that. */
async function atWork({ services }: System, name: ServiceName): Promise<void> {
  if (name !== "api") await until(() => services[name].output().includes(AT_WORK[name]));
}

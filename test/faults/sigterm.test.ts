// SIGTERM during work: the process finishes what it has begun, accepted detections are kept, the exit code is 0.
import { expect, test } from "vitest";
import { createRandom } from "../../services/cli/demo/scene/random.ts";
import { survive } from "../support/oracles/survive.ts";
import { quickSettings, TTL_MS } from "../support/running/final-state-settings.ts";
import type { ServiceName } from "../support/running/processes.ts";
import { useStack } from "../support/running/stack.ts";
import { startSystem } from "../support/running/system.ts";
import { extent } from "./extent.ts";

const NAMES: readonly ServiceName[] = ["api", "projector", "state-machine"];

test("services told to stop under load leave in order, again and again, and nothing is lost", async () => {
  const system = await startSystem(await quickSettings(useStack().env));
  const random = createRandom(91);

  const load = { seed: 91, pauseMs: 20, cameras: 8, seconds: extent.sceneSeconds };
  await survive(system, { ttlMs: TTL_MS, ...load }, async () => {
    for (let round = 0; round < extent.handOvers; round++) {
      for (const name of NAMES) {
        await new Promise((resolve) => setTimeout(resolve, random.between(0, 1_000)));
        const leaving = system.services[name];
        expect({ name, code: await leaving.stop() }).toEqual({ name, code: 0 });
        // All parts together have 8 s; after that the process leaves the rest as they are and logs it.
        expect(leaving.output()).not.toContain("part did not stop cleanly");
        system.services[name] = await system.start(name);
      }
    }
  });
});

import { expect, test } from "vitest";
import { survive } from "../support/oracles/survive.ts";
import { quickSettings, TTL_MS } from "../support/running/final-state-settings.ts";
import { useStack } from "../support/running/stack.ts";
import { FEW_INSERTS, startSystem } from "../support/running/system.ts";
import { extent } from "./extent.ts";

test("clients that hang up and send the same again, while the first may still arrive, double nothing", async () => {
  const system = await startSystem({ ...FEW_INSERTS, ...(await quickSettings(useStack().env)) });

  const load = { seed: 101, pauseMs: 0, impatient: true, seconds: extent.impatientSeconds };
  await survive(system, { ttlMs: TTL_MS, ...load }, async (world) => {
    world.load.hurry();
    await world.load.done;
    const { accepted, repeated } = world.load.counts();
    expect(repeated).toBeGreaterThan(accepted / 2);
  });
});

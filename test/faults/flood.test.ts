// More requests than the API can take: it keeps the accepted ones, refuses the others with retryAfterMs, and bounds
// its memory.
import { expect, test } from "vitest";
import { survive } from "../support/oracles/survive.ts";
import { quickSettings, TTL_MS } from "../support/running/final-state-settings.ts";
import { useStack } from "../support/running/stack.ts";
import { FEW_INSERTS, startSystem } from "../support/running/system.ts";
import { extent } from "./extent.ts";
import { floodSystem } from "./flood-system.ts";

/** The API alone takes about 200 when it begins; the rest is its queues, and garbage that is not collected yet. */
const MOST_MIB = 1_536;

test("a flood is refused with the time to come back, accepted detections are kept, and cameras go on", async () => {
  const system = await startSystem({ ...FEW_INSERTS, ...(await quickSettings(useStack().env)), ...extent.floodQueue });

  await survive(system, { ttlMs: TTL_MS, seed: 111, pauseMs: 200, seconds: extent.sceneSeconds }, async () => {
    const flooded = await floodSystem(system, { durationMs: extent.floodMs });

    // How many of each depends on how fast the machine sends and takes them.
    expect(flooded.accepted).toBeGreaterThan(0);
    expect(flooded.refused).toBeGreaterThan(0);
    expect(flooded.others).toEqual([]);
    expect(await flooded.missing()).toEqual([]);
    expect(flooded.mostMib).toBeLessThan(MOST_MIB);
  });
});

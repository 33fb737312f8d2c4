import { expect, test } from "vitest";
import { survive } from "../support/oracles/survive.ts";
import { quickSettings, TTL_MS } from "../support/running/final-state-settings.ts";
import { useStack } from "../support/running/stack.ts";
import { FEW_INSERTS, startSystem } from "../support/running/system.ts";
import { extent } from "./extent.ts";
import { rudeSubscribers } from "./rude-subscribers.ts";

/** The API alone takes about 200 when it begins; the rest is messages that wait for the subscribers, and garbage. */
const MOST_MIB = 1_536;
const MESSAGES = 400;

test("subscribers that never read are closed and told why; they and hundreds that hang up disturb nobody", async () => {
  const system = await startSystem({ ...FEW_INSERTS, ...(await quickSettings(useStack().env)) });

  await survive(system, { ttlMs: TTL_MS, seed: 121, pauseMs: 200, seconds: extent.sceneSeconds }, async () => {
    const { subscribers } = extent;
    const { closedWith, waves, mostMib } = await rudeSubscribers(system, { subscribers, messages: MESSAGES });

    const reported = Object.entries(closedWith).filter(([reason]) => /^4430 Too slow|^4431 No answer/.test(reason));
    expect({ ...closedWith, count: reported.reduce((sum, [, count]) => sum + count, 0) }).toEqual({
      ...Object.fromEntries(reported),
      count: Math.ceil(subscribers / 3),
    });
    expect(waves).toBeGreaterThan(1);
    expect(mostMib).toBeLessThan(MOST_MIB);
  });
});

// The broker is killed, is away, and hangs: mutations are UNAVAILABLE in time, and every service continues by itself.
// So does the REST interface with its subscriptions.
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { progress, survive } from "../support/oracles/survive.ts";
import { quickSettings, TTL_MS } from "../support/running/final-state-settings.ts";
import { until } from "../support/running/processes.ts";
import { FEW_INSERTS, startSystem } from "../support/running/system.ts";
import { expectUnavailable } from "./expect-unavailable.ts";
import { extent } from "./extent.ts";
import { ownStore } from "./own-store.ts";
import { startRestSubscriptions } from "./rest-subscriptions.ts";
import { awayWhile, freezeWhile, killStore } from "./strike.ts";

const PUBLISH_TIMEOUT_MS = 2_000;
const AWAY_MS = extent.awayMs / 2;

test("a broker killed, away, and silent for a while: UNAVAILABLE until it is back, and nothing is lost", async () => {
  const stores = await ownStore("kafka");
  const system = await startSystem({
    ...FEW_INSERTS,
    ...stores.env,
    ...(await quickSettings(stores.env)),
    API_PUBLISH_TIMEOUT_MS: String(PUBLISH_TIMEOUT_MS),
  });

  const rest = await startRestSubscriptions(system);

  const load = { ttlMs: TTL_MS, seed: 61, pauseMs: 200, seconds: extent.sceneSeconds };
  await survive(system, load, async (world) => {
    await progress(world, 50);
    await killStore(stores, "kafka");
    await progress(world, 50);

    const { repeated } = world.load.counts();
    await awayWhile(stores, "kafka", async () => {
      const refused = rest.expectRefused();
      await until(() => world.load.counts().repeated > repeated);
      await Promise.all([expectUnavailable(system), refused, delay(AWAY_MS)]);
    });
    await progress(world, 50);
    await rest.expectKept();

    await freezeWhile(stores, "kafka", () => Promise.all([expectUnavailable(system), delay(AWAY_MS)]));
    await progress(world, 50);
  });
  expect(Object.values(system.services).map((service) => service.running())).toEqual([true, true, true]);
});

// Redis is killed, emptied or away: live state is written again or rebuilt from the log, and is the same.
import { expect, test } from "vitest";
import { createRandom } from "../../services/cli/demo/scene/random.ts";
import { expectUndisturbed } from "../support/oracles/final-state.ts";
import { foldedLog, storedState } from "../support/oracles/final-state-live.ts";
import { progress, survive } from "../support/oracles/survive.ts";
import { quickSettings, TTL_MS } from "../support/running/final-state-settings.ts";
import { until } from "../support/running/processes.ts";
import { FEW_INSERTS, inspect, startSystem } from "../support/running/system.ts";
import type { Load } from "../support/scenes/load.ts";
import { extent } from "./extent.ts";
import { ownStore } from "./own-store.ts";
import { away, killStore } from "./strike.ts";

const FLUSHES = 6;

test("redis emptied, killed and away, and emptied while the state machine is down: the same state comes back", async () => {
  const stores = await ownStore("redis");
  const system = await startSystem({ ...FEW_INSERTS, ...stores.env, ...(await quickSettings(stores.env)) });
  const { services } = system;
  const inspector = await inspect(system);
  const random = createRandom(31);
  const loads: Load[] = [];
  const holdsTracks = () =>
    until(async () => Object.values(await storedState(inspector)).some(({ tracks }) => Object.keys(tracks)[0]));
  const flush = async () => {
    await holdsTracks();
    await inspector.flush();
  };

  const load = { ttlMs: TTL_MS, seed: 31, pauseMs: 200, seconds: extent.sceneSeconds };
  await survive(system, load, async (world) => {
    loads.push(world.load);
    for (let i = 0; i < FLUSHES; i++) {
      await flush();
      await new Promise((resolve) => setTimeout(resolve, random.between(0, 500)));
    }
    await killStore(stores, "redis");
    await progress(world, 50);
    await away(stores, "redis", extent.awayMs);
    await progress(world, 50);
    await services["state-machine"].kill();
    await flush();
    services["state-machine"] = await system.start("state-machine");
  });

  await flush();
  await inspector.caughtUp();
  const asOf = Date.now();
  expect(await storedState(inspector, asOf)).toEqual(await foldedLog(inspector, TTL_MS, asOf));

  expect(await services["state-machine"].stop()).toBe(0);
  await flush();
  services["state-machine"] = await system.start("state-machine");
  await expectUndisturbed(
    system,
    loads.flatMap(({ stage }) => stage),
    TTL_MS,
  );
});

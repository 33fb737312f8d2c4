// The schema registry is away: running services go on, a starting one waits and logs it.
import { expect, test } from "vitest";
import { progress, survive } from "../support/oracles/survive.ts";
import { quickSettings, TTL_MS } from "../support/running/final-state-settings.ts";
import { type ServiceName, spawnService, until } from "../support/running/processes.ts";
import { FEW_INSERTS, startSystem } from "../support/running/system.ts";
import { ownStore } from "./own-store.ts";

const WAITING = "waiting for the schema registry";
const NAMES: readonly ServiceName[] = ["api", "projector", "state-machine"];

test("without a registry running services go on, and starting ones wait, or leave when they are told to", async () => {
  const stores = await ownStore("registry");
  const system = await startSystem({ ...FEW_INSERTS, ...stores.env, ...(await quickSettings(stores.env)) });

  await survive(system, { ttlMs: TTL_MS, seed: 81, pauseMs: 200, seconds: 120 }, async (world) => {
    await stores.halt("registry");
    await progress(world, 50);
    const starting = await Promise.all(NAMES.map((name) => spawnService(name, { ...system.env, API_PORT: "0" })));
    const leaving = await spawnService("projector", system.env);
    await until(() => [...starting, leaving].every((service) => service.output().includes(WAITING)));
    expect(await leaving.stop()).toBe(0);
    const { repeated } = world.load.counts();
    await progress(world, 50);
    expect(world.load.counts().repeated, "mutations that had to be repeated").toBe(repeated);

    await stores.resume("registry");
    await Promise.all(starting.map(({ ready }) => ready));
    await progress(world, 50);
    expect(await Promise.all(starting.map((service) => service.stop()))).toEqual([0, 0, 0]);
  });
});

// The history is away: ingest goes on, the projector waits and catches up, queries answer UNAVAILABLE.
import { expect, test } from "vitest";
import { progress, survive } from "../support/oracles/survive.ts";
import { quickSettings, TTL_MS } from "../support/running/final-state-settings.ts";
import { until } from "../support/running/processes.ts";
import { startSystem } from "../support/running/system.ts";
import { extent } from "./extent.ts";
import { ownStore } from "./own-store.ts";
import { away, killStore } from "./strike.ts";

const QUERY = `{ detections(filter: { time: { between: ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"] } }) { totalCount } }`;

test("a history that is killed, and one that stays away: no loss, no double, and queries say so meanwhile", async () => {
  const stores = await ownStore("clickhouse");
  const system = await startSystem({ ...stores.env, ...(await quickSettings(stores.env)) });
  const load = { ttlMs: TTL_MS, seed: 71, pauseMs: 200, seconds: extent.sceneSeconds };

  await survive(system, load, async (world) => {
    await progress(world, 50);
    await killStore(stores, "clickhouse");
    await progress(world, 50);

    const isAway = away(stores, "clickhouse", extent.awayMs);
    const refused = await until(async () => (await system.client.send(QUERY)).errors?.[0]);
    expect(refused?.extensions).toMatchObject({ code: "UNAVAILABLE", retryAfterMs: expect.any(Number) });
    const { repeated } = world.load.counts();
    await progress(world, 20);
    expect(world.load.counts().repeated, "mutations that had to be repeated").toBe(repeated);
    await isAway;
    await until(async () => (await system.client.send(QUERY)).errors === undefined);
  });
  expect(Object.values(system.services).map((service) => service.running())).toEqual([true, true, true]);
});

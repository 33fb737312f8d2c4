// A flushed Redis costs nothing: the state machine writes its state again, or rebuilds it from the log.
import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import { createRandom } from "../../projections/scene/random.ts";
import { expectUndisturbed } from "../support/final-state.ts";
import { foldedLog, storedState } from "../support/final-state-live.ts";
import { quickSettings, TTL_MS } from "../support/final-state-settings.ts";
import { startLoad } from "../support/load.ts";
import { until } from "../support/processes.ts";
import { useStack } from "../support/stack.ts";
import { inspect, startSystem } from "../support/system.ts";

const FLUSHES = 6;

test("redis flushed during a load, while idle, and while the state machine is down: the same state comes back", async () => {
  const system = await startSystem(await quickSettings(useStack().env.KAFKA_BROKERS));
  const { services, namespace } = system;
  const inspector = await inspect(system);
  const load = await startLoad(system.client, { seed: 31, pauseMs: 40 });
  const random = createRandom(31);
  const holdsTracks = () =>
    until(async () => Object.values(await storedState(inspector)).some(({ tracks }) => Object.keys(tracks)[0]));
  const flush = async () => expect(await flushNamespace(inspector.redis, namespace)).toBeGreaterThan(0);

  for (let i = 0; i < FLUSHES; i++) {
    await holdsTracks();
    await new Promise((resolve) => setTimeout(resolve, random.between(0, 500)));
    await flush();
  }
  await holdsTracks();
  await services["state-machine"].kill();
  await flush();
  services["state-machine"] = await system.start("state-machine");
  load.hurry();
  await load.done;
  await expectUndisturbed(system, load.stage, TTL_MS);

  await flush();
  await inspector.caughtUp();
  expect(await storedState(inspector)).toEqual(await foldedLog(inspector, TTL_MS));

  expect(await services["state-machine"].stop()).toBe(0);
  await flush();
  services["state-machine"] = await system.start("state-machine");
  await expectUndisturbed(system, load.stage, TTL_MS);
});

/** FLUSHALL for one namespace, as atomic as that, for others use the same Redis. Resolves with the number of keys. */
async function flushNamespace(redis: Redis, namespace: string): Promise<number> {
  const script = `
    local cursor, deleted = '0', 0
    repeat
      local found = redis.call('SCAN', cursor, 'MATCH', ARGV[1], 'COUNT', 1000)
      cursor = found[1]
      for _, key in ipairs(found[2]) do deleted = deleted + redis.call('DEL', key) end
    until cursor == '0'
    return deleted`;
  return Number(await redis.eval(script, 0, `${namespace}:*`));
}

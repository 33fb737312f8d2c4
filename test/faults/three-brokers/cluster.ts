// Three brokers with three copies, of which a write needs two. One broker may die at any time. With two away the API
// accepts nothing, and every service continues by itself when they are back.
import { expect, test } from "vitest";
import { progress, survive } from "../../support/oracles/survive.ts";
import { quickSettings, TTL_MS } from "../../support/running/final-state-settings.ts";
import type { KafkaNode } from "../../support/running/kafka-node.ts";
import { until } from "../../support/running/processes.ts";
import { FEW_INSERTS, startSystem } from "../../support/running/system.ts";
import { expectUnavailable } from "../expect-unavailable.ts";
import { extent } from "../extent.ts";
import { longestSilence } from "../longest-silence.ts";
import { sharedCluster } from "./shared-cluster.ts";

const PUBLISH_TIMEOUT_MS = 3_000;

test("brokers killed one after the other under load, then two at once: nothing is lost, and all goes on by itself", async ({
  annotate,
}) => {
  const cluster = sharedCluster();
  const system = await startSystem({
    ...FEW_INSERTS,
    ...cluster.env,
    ...(await quickSettings(cluster.env)),
    API_PUBLISH_TIMEOUT_MS: String(PUBLISH_TIMEOUT_MS),
  });
  const silences: number[] = [];

  // Longer than the rest: the load goes on while the brokers come back.
  const load = { ttlMs: TTL_MS, seed: 91, pauseMs: 200, seconds: 2 * extent.sceneSeconds };
  await survive(system, load, async (world) => {
    await progress(world, 50);
    for (const node of cluster.nodes.slice(0, extent.brokers)) {
      // An operator who stops brokers one by one waits, too: a copy that lags does not count.
      await cluster.inSync();
      const silence = longestSilence(world.load);
      await node.halt();
      await progress(world, 50);
      silences.push(silence.stop());
      await node.start();
      await progress(world, 20);
    }
    await cluster.inSync();
    const [first, second] = cluster.nodes as [KafkaNode, KafkaNode];
    await Promise.all([first.halt(), second.halt()]);
    const { accepted, repeated } = world.load.counts();
    await until(() => world.load.counts().repeated > repeated);
    await expectUnavailable(system);
    await Promise.all([first.start(), second.start()]);
    await until(() => world.load.counts().accepted > accepted + 50, { timeoutMs: 120_000 });
  });

  await annotate(`longest time without an accepted mutation, ms: ${silences.map(Math.round).join(", ")}`);
  expect(Object.values(system.services).map((service) => service.running())).toEqual([true, true, true]);
});

// Kafka goes away under load. It has stores of its own, because nobody else could work meanwhile.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Stores, startStores } from "../../services/embedded/stores.ts";
import { expectUndisturbed } from "../support/final-state.ts";
import { TTL_MS } from "../support/final-state-settings.ts";
import { startLoad } from "../support/load.ts";
import { until } from "../support/processes.ts";
import { startSystem } from "../support/system.ts";

const PUBLISH_TIMEOUT_MS = 2_000;

test("without Kafka mutations answer UNAVAILABLE in time; when it is back everything goes on by itself", async () => {
  const stores = await ownStores();
  const system = await startSystem({
    ...stores.env,
    TRACK_TTL: String(TTL_MS / 1_000),
    API_PUBLISH_TIMEOUT_MS: String(PUBLISH_TIMEOUT_MS),
  });
  const load = await startLoad(system.client, { seed: 61, pauseMs: 40, seconds: 40 });
  await until(() => load.counts().accepted > 100);

  await stores.halt("kafka");
  const before = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      system.client.send(
        "mutation ($name: String!) { createDataSource(dataSource: { name: $name, type: FOLDER }) { id } }",
        {
          name: `refused ${i}`,
        },
      ),
    ),
  );
  const tookMs = performance.now() - before;
  for (const { errors } of answers) {
    expect(errors?.[0]?.extensions).toMatchObject({ code: "UNAVAILABLE", retryAfterMs: expect.any(Number) });
  }
  // Its own limit; the rest is for a busy machine, and far below the client's patience.
  expect(tookMs).toBeLessThan(PUBLISH_TIMEOUT_MS + 3_000);
  const { repeated } = load.counts();
  await until(() => load.counts().repeated > repeated);
  const { accepted } = load.counts();
  await stores.resume("kafka");

  await until(() => load.counts().accepted > accepted);
  load.hurry();
  await load.done;
  await expectUndisturbed(system, load.stage, TTL_MS);
  expect(Object.values(system.services).map((service) => service.running())).toEqual([true, true, true]);
});

async function ownStores(): Promise<Stores> {
  const dataDir = await mkdtemp(join(tmpdir(), "tracklog-kafka-away-"));
  const { PATH, JAVA_HOME, HOME } = process.env;
  const stores = await startStores({ dataDir, env: { PATH, JAVA_HOME, HOME } });
  onTestFinished(async () => {
    await stores.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return stores;
}

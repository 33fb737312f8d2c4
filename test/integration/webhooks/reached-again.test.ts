import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { generationOf } from "../../../projections/webhooks/deliveries/queue-id.ts";
import { topicName } from "../../../schemas/topics.ts";
import { createPartitionOf } from "../../../services/common/kafka/partition-of.ts";
import { createPending } from "../../../services/state-api/deliveries/pending.ts";
import { answering, startReceiver } from "../../support/clients/receivers.ts";
import { until } from "../../support/running/processes.ts";
import { createWebhooks, QUICK, type Webhooks } from "./installation.ts";

let webhooks: Webhooks;

beforeAll(async () => {
  // After a failure nothing is tried by itself while a test runs.
  webhooks = await createWebhooks({ WEBHOOKS_RETRY_MS: "3600000", WEBHOOKS_LONGEST_RETRY_MS: "3600000" });
  webhooks.start();
});
afterAll(() => webhooks.remove());

function pending() {
  const { redis, namespace } = webhooks;
  const signals = topicName(namespace, "signals");
  const partitionOf = createPartitionOf(new Map([[signals, Number(QUICK.CAMERA_PARTITIONS)]]));
  return createPending({ redis, namespace, partitionOf: (id) => partitionOf(signals, id) });
}

test.each([
  ["a test", "test"],
  ["a delivery of the queue that is sent again", "waiting"],
] as const)("%s that succeeds sends what waits behind a failure at once", async (_what, kind) => {
  const hook = await startReceiver(answering(503));
  onTestFinished(hook.close);
  const set = await webhooks.subscribe(kind, hook.url);
  const of = generationOf(set);
  const [first, second, third] = await webhooks.raise(kind, [{}, {}, {}]);
  const asking = pending();
  await until(async () => ((await asking.find(of, first?.id ?? ""))?.attempts.length ?? 0) > 0);
  await until(async () => (await asking.find(of, third?.id ?? "")) !== undefined);

  hook.behave(answering(200));
  const createdAt = Date.now();
  if (kind === "test") await asking.request(of, randomUUID(), { kind, createdAt });
  else await asking.request(of, third?.id ?? "", { kind, createdAt, signal: "track_created" });

  await until(() => hook.delivered().length === (kind === "test" ? 4 : 3));
  const waited = hook.delivered().slice(1);
  expect(waited.map(({ id }) => id).slice(0, 2)).toEqual([first?.id, second?.id]);
});

import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { kafkaEnv, loadConfig } from "../../../../../../services/common/config.ts";
import { createKafka } from "../../../../../../services/common/kafka/client.ts";
import { createLog } from "../../../../../../services/common/log.ts";

interface Runner {
  fetch(nodeId: number): Promise<object[]>;
}

type BatchClass = new (topic: string, fetchedOffset: string, data: object) => object;

const require = createRequire(import.meta.url);
const { prototype }: { readonly prototype: Runner } = require("kafkajs/src/consumer/runner.js");
const Batch: BatchClass = require("kafkajs/src/consumer/batch.js");
// The first client puts the replacements in place, once for the process.
createKafka("test", loadConfig(kafkaEnv, { KAFKA_BROKERS: "127.0.0.1:9" }), createLog("test", "silent"));

const batch = (messages: readonly object[]) =>
  new Batch("topic", "7", { partition: 0, highWatermark: "8", abortedTransactions: [], messages });

/** Resolves with what kafkajs hands on of an answer with these batches, and with the number of heartbeats. */
async function fetched(batches: readonly object[]) {
  let heartbeats = 0;
  const runner: Runner = Object.assign(Object.create(prototype), {
    running: true,
    consumerGroup: { fetch: async () => batches },
    instrumentationEmitter: { emit: () => undefined },
    heartbeat: async () => void heartbeats++,
  });
  return { handedOn: await runner.fetch(1), heartbeats };
}

test("batches with messages, and those with records that are not for readers, are handed on", async () => {
  const filled = batch([{ offset: "7", isControlRecord: false }]);
  const passed = batch([{ offset: "7", isControlRecord: true }]);

  expect((await fetched([batch([]), filled, passed])).handedOn).toEqual([filled, passed]);
});

test.each([[[]], [[batch([]), batch([])]]])("an answer without anything is worth one heartbeat", async (batches) => {
  expect(await fetched(batches)).toEqual({ handedOn: [], heartbeats: 1 });
});

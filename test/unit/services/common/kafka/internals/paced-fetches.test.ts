import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { kafkaEnv, loadConfig } from "../../../../../../services/common/config.ts";
import { createKafka } from "../../../../../../services/common/kafka/client.ts";
import { type ConsumerPace, paced } from "../../../../../../services/common/kafka/internals/paced-fetches.ts";
import { createLog } from "../../../../../../services/common/log.ts";

interface Runner {
  fetch(nodeId: number): Promise<unknown>;
}

const { prototype }: { readonly prototype: Runner } = createRequire(import.meta.url)("kafkajs/src/consumer/runner.js");
// The first client puts the replacements in place, once for the process.
createKafka("test", loadConfig(kafkaEnv, { KAFKA_BROKERS: "127.0.0.1:9" }), createLog("test", "silent"));

const BATCH = { isEmpty: () => false };
const HEARTBEAT_MS = 2_000;
const AT_ONCE: ConsumerPace = { beforeFetch: () => undefined, patienceMs: () => 0 };

/** A consumer with this handler, whose broker answers at once. */
function createRunner(eachBatch: object, calls: string[]): Runner {
  const consumerGroup = {
    ...{ lastRequest: Date.now(), cluster: { brokerPool: { brokers: {} } } },
    fetch: async () => {
      calls.push("fetched");
      return [BATCH];
    },
  };
  return Object.assign(Object.create(prototype), {
    ...{ running: true, eachBatch, consumerGroup, heartbeatInterval: HEARTBEAT_MS },
    instrumentationEmitter: { emit: () => undefined },
  });
}

test("a request is sent only when the pace of its consumer allows it", async () => {
  const calls: string[] = [];
  const turn = Promise.withResolvers<void>();
  const handler = paced(async () => undefined, {
    ...AT_ONCE,
    beforeFetch: () => {
      calls.push("asked");
      return turn.promise.then(() => void calls.push("allowed"));
    },
  });

  const fetching = createRunner(handler, calls).fetch(1);
  turn.resolve();

  expect(await fetching).toEqual([BATCH]);
  expect(calls).toEqual(["asked", "allowed", "fetched"]);
});

test("the requests of other consumers do not wait", async () => {
  const calls: string[] = [];
  paced(async () => undefined, { ...AT_ONCE, beforeFetch: () => new Promise(() => undefined) });

  await createRunner(async () => undefined, calls).fetch(1);

  expect(calls).toEqual(["fetched"]);
});

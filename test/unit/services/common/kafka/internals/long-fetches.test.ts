import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { kafkaEnv, loadConfig } from "../../../../../../services/common/config.ts";
import { createKafka } from "../../../../../../services/common/kafka/client.ts";
import { paced } from "../../../../../../services/common/kafka/internals/paced-fetches.ts";
import { createLog } from "../../../../../../services/common/log.ts";

interface Runner {
  fetch(nodeId: number): Promise<readonly object[]>;
  stop(): Promise<void>;
}

const require = createRequire(import.meta.url);
const { prototype }: { readonly prototype: Runner } = require("kafkajs/src/consumer/runner.js");
const { prototype: broker }: { readonly prototype: object } = require("kafkajs/src/broker/index.js");
// The first client puts the replacements in place, once for the process.
createKafka("test", loadConfig(kafkaEnv, { KAFKA_BROKERS: "127.0.0.1:9" }), createLog("test", "silent"));

const NODE = 1;
const HEARTBEAT_MS = 2_000;
const SETTING_MS = 250;

interface Asked {
  /** How long the reader would have the broker wait, ms. */
  readonly patienceMs: number;
  readonly heartbeatAt: number;
}

/** A consumer of one broker, which never answers; `asked` has the times that it may wait. */
function createRunner({ patienceMs, heartbeatAt }: Asked) {
  const asked: number[] = [];
  const silent = Object.assign(Object.create(broker), {
    lookupRequest:
      () =>
      ({ maxWaitTime }: { readonly maxWaitTime: number }) =>
        void asked.push(maxWaitTime),
    connectionPool: { send: () => new Promise(() => undefined) },
  });
  const consumerGroup = {
    ...{ lastRequest: heartbeatAt, cluster: { brokerPool: { brokers: { [NODE]: silent } } } },
    fetch: async () => (await silent.fetch({ maxWaitTime: SETTING_MS, topics: [] })).responses,
    ...{ heartbeat: async () => undefined, leave: async () => undefined },
  };
  const logger = { debug: () => undefined };
  const runner: Runner = Object.assign(Object.create(prototype), {
    ...{ running: true, consuming: false, logger, consumerGroup, heartbeatInterval: HEARTBEAT_MS },
    eachBatch: paced(async () => undefined, { beforeFetch: () => undefined, patienceMs: () => patienceMs }),
    instrumentationEmitter: { emit: () => undefined },
    fetchManager: { stop: async () => undefined },
  });
  return { runner, asked };
}

test("the broker may wait as long as the pace allows, and not less than the consumer's setting", async () => {
  for (const [patienceMs, waitMs] of [
    [0, SETTING_MS],
    [900, 900],
  ] as const) {
    const { runner, asked } = createRunner({ patienceMs, heartbeatAt: Date.now() });
    const fetching = runner.fetch(NODE);
    await expect.poll(() => asked).toEqual([waitMs]);
    await runner.stop();
    await fetching;
  }
});

test("the broker waits no longer than until the next heartbeat", async () => {
  const { runner, asked } = createRunner({ patienceMs: 60_000, heartbeatAt: Date.now() + 3_600_000 });

  const fetching = runner.fetch(NODE);

  await expect.poll(() => asked).toEqual([HEARTBEAT_MS]);
  await runner.stop();
  await fetching;
});

test("a fetch without an answer ends when its consumer stops, and has no messages", async () => {
  const { runner, asked } = createRunner({ patienceMs: 0, heartbeatAt: Date.now() });
  const fetching = runner.fetch(NODE);
  await expect.poll(() => asked).toHaveLength(1);

  await runner.stop();

  expect(await fetching).toEqual([]);
});

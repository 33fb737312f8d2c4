import { expect, test } from "vitest";
import { unavailable } from "../../../../schemas/errors.ts";
import type { OutMessage, Publisher } from "../../../../services/common/kafka/write/publisher.ts";
import { createLog } from "../../../../services/common/log.ts";
import { createPartitionPublishers } from "../../../../services/state-machine/rounds/partition-publishers.ts";

const MESSAGES: readonly OutMessage[] = [{ topic: "out", key: "k", value: null }];

/** The publishers accept messages while `takes`; `did` lists the calls of each. */
function createPublishers() {
  const did: string[] = [];
  const broker = { takes: true };
  let own = 0;
  const createPublisher = (name: string): Publisher => ({
    name,
    start: async () => void did.push(`${name} starts`),
    stop: async () => void did.push(`${name} stops`),
    partitionOf: () => 0,
    partitionsOf: () => 1,
    publish: async (_, isValid) => {
      did.push(name);
      if (isValid?.() === false) throw new Error("no longer valid");
      if (!broker.takes) throw unavailable("the log did not take the message", 1_000);
      return [];
    },
  });
  const publishers = createPartitionPublishers({
    shared: createPublisher("shared"),
    createOwn: () => createPublisher(`own ${++own}`),
    log: createLog("test", "silent"),
  });
  const publish = (partition: number, isValid = true) =>
    publishers.publish(partition, MESSAGES, () => isValid).catch(() => did.push("failed"));
  return { publishers, publish, broker, did };
}

test("a partition whose outputs failed has a publisher of its own until it works", async () => {
  const { publish, broker, did } = createPublishers();

  broker.takes = false;
  await publish(0);
  await publish(0);
  broker.takes = true;
  await publish(1);
  await publish(0);
  await publish(0);

  const failing = ["shared", "failed", "own 1 starts", "own 1", "failed"];
  expect(did).toEqual([...failing, "shared", "own 1", "own 1 stops", "shared"]);
});

test("outputs that are no longer valid part no partition from the others", async () => {
  const { publish, did } = createPublishers();

  await publish(0, false);
  await publish(0);

  expect(did).toEqual(["shared", "failed", "shared"]);
});

test("after a reset all share again", async () => {
  const { publishers, publish, broker, did } = createPublishers();

  broker.takes = false;
  await publish(0);
  await publish(0);
  await publishers.reset();
  await publish(0);

  expect(did.slice(-3)).toEqual(["own 1 stops", "shared", "failed"]);
});

// The command on a namespace that is open: one that it has opened itself, or one of others.
import { expect, test } from "vitest";
import { groupName, type Topic, topics } from "../../../schemas/topics.ts";
import { unraised } from "../../../services/cli/repartition/carry-chronicles.ts";
import { repartitionEnv } from "../../../services/cli/repartition/config.ts";
import { createLogCopy } from "../../../services/cli/repartition/copy-log.ts";
import { repartition } from "../../../services/cli/repartition/repartition.ts";
import { createPartitionEnds } from "../../../services/common/kafka/read/partition-ends.ts";
import { alterTopics } from "../../../services/common/kafka/write/compare-topics.ts";
import { FILLING, isFilling } from "../../../services/common/kafka/write/filling.ts";
import { atTheEnd } from "../../support/running/at-the-end.ts";
import { provideInstallation } from "../../support/running/installation.ts";
import { until } from "../../support/running/processes.ts";

type Installation = Awaited<ReturnType<typeof provideInstallation>>;

async function install(partitions: number): Promise<Installation> {
  const installation = await provideInstallation("grow", { CAMERA_PARTITIONS: String(partitions) });
  atTheEnd(installation.remove);
  return installation;
}

const old = await install(1);
const grown = await install(2);
const filled = (Object.keys(topics) as Topic[]).filter((topic) => topic !== "camera-log").map(grown.topic);
await alterTopics(grown.admin, filled, FILLING);

/** Ends by itself, and does not wait for processes of the old namespace that may still stop. */
function beginAgain(changesOver: boolean, partitions = 2): Promise<void> {
  const stop = new AbortController();
  stop.abort();
  return repartition({
    config: old.config(repartitionEnv),
    to: grown.namespace,
    partitions,
    database: undefined,
    changesOver,
    log: old.log,
    print: () => undefined,
    signal: stop.signal,
  });
}

const areFilling = async () => {
  const found = await Promise.all(filled.map((topic) => isFilling(grown.admin, topic)));
  return filled.filter((_, i) => found[i]);
};

test("a namespace that is in use is left as it is", async () => {
  await expect(beginAgain(true)).rejects.toThrow("is in use, and was not copied from this namespace");

  expect(await areFilling()).toEqual(filled);
  expect(await grown.read("camera-log")).toEqual([]);
});

test("a copy goes on with the number of partitions that it began with", async () => {
  await expect(beginAgain(true, 3)).rejects.toThrow("--partitions wants 2");
});

test("the change-over waits for the signals of chronicles while webhooks of the old namespace is at work", async () => {
  const [groupId, topic] = [groupName(old.namespace, "chronicle-signals"), old.topic("chronicles")];
  const ends = {
    readers: createPartitionEnds(old.kafka, "readers"),
    writers: createPartitionEnds(old.kafka, "writers"),
  };
  const missing = () => unraised({ admin: old.admin, ends, from: old.namespace });
  const publisher = await old.openPublisher();
  await publisher.publish([{ topic, key: "a", partition: 0, value: Buffer.from("x"), headers: {} }]);
  await old.admin.setOffsets({ groupId, topic, partitions: [{ partition: 0, offset: "0" }] });
  expect(await missing()).toBeUndefined();
  const consumer = old.kafka.consumer({ groupId });
  atTheEnd(() => consumer.disconnect());
  await consumer.connect();
  await consumer.subscribe({ topic });
  const taken = Promise.withResolvers<void>();
  await consumer.run({ autoCommit: false, eachMessage: async () => taken.resolve() });
  await taken.promise;

  expect(await missing()).toBe("1 messages of chronicles/0");
  await consumer.commitOffsets([{ topic, partition: 0, offset: "1" }]);
  expect(await missing()).toBeUndefined();

  await Promise.all([consumer.disconnect(), ends.readers.close(), ends.writers.close()]);
});

test("the copy of some topics ends, and that of others goes on", async () => {
  const { kafka, admin, codec, log } = old;
  const counts = { from: 1, to: 2 };
  const copy = createLogCopy({ kafka, admin, codec, log, counts, from: old.namespace, to: grown.namespace });
  await copy.start();
  await copy.follow(["images", "device-heartbeats"]);
  await copy.end(["images"]);
  const publisher = await old.openPublisher();
  for (const topic of ["images", "device-heartbeats"] as const) {
    const message = { key: "a", partition: 0, value: Buffer.from("x"), headers: {} };
    await publisher.publish([{ ...message, topic: old.topic(topic) }]);
  }

  await until(() => copy.copiedUpTo("device-heartbeats", 0) === 1);

  expect(copy.copiedUpTo("images", 0)).toBe(0);
  await copy.stop();
});

test("a change-over that ended while it opened the topics opens the others when it begins again", async () => {
  const positions = { groupId: groupName(grown.namespace, "repartition"), topic: old.topic("camera-log") };
  await old.admin.setOffsets({ ...positions, partitions: [{ partition: 0, offset: "0" }] });

  await expect(beginAgain(false)).rejects.toThrow("--change-over finishes the change-over");
  await beginAgain(true);

  expect(await areFilling()).toEqual([]);
  expect(await grown.read("camera-log")).toHaveLength(2);
});

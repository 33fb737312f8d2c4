import type { Kafka } from "kafkajs";
import { expect, onTestFinished, test, vi } from "vitest";
import { ledEnds } from "../../../services/common/kafka/internals/admin-offsets.ts";
import { createFollower } from "../../../services/common/kafka/read/follow.ts";
import { createGroupReader, type ReaderStep } from "../../../services/common/kafka/read/group-reader.ts";
import { until } from "../../support/running/processes.ts";
import { createTopic, log } from "./topic.ts";

/** A reader to which the group has given all partitions of the topic. */
async function startReader(kafka: Kafka, topic: string) {
  const reader = createGroupReader({ kafka, groupId: topic, topics: [topic], log });
  await reader.start();
  onTestFinished(() => reader.stop());
  for (;;) {
    const { assigned } = await reader.next(1_000);
    if (assigned !== undefined && assigned.length > 0) return { reader, assigned };
  }
}

/** Calls `onAsk`, and waits for it, whenever a reader asks the broker for the ends of topics. */
function watched(kafka: Kafka, onAsk: () => void | Promise<void>): Kafka {
  const replaced = {
    consumer: kafka.consumer.bind(kafka),
    admin: () => {
      const admin = kafka.admin();
      const fetchTopicOffsets: typeof admin.fetchTopicOffsets = async (name) => {
        await onAsk();
        return admin.fetchTopicOffsets(name);
      };
      const fetchLedEnds = async (names: readonly string[]) => {
        await onAsk();
        return ledEnds(admin, names);
      };
      return { ...admin, fetchTopicOffsets, fetchLedEnds };
    },
  };
  return Object.assign(Object.create(kafka), replaced);
}

test("a position beyond the end of the log is refused, and nothing is read", async () => {
  const { kafka, topic, write } = await createTopic(2);
  await write(0, 3);
  await write(1, 3);
  const { reader } = await startReader(kafka, topic);
  const at = (partition: number, offset: number) => ({ topic, partition, offset });

  await expect(reader.begin([at(0, 0), at(1, 4)])).rejects.toMatchObject({
    name: "ForeignPosition",
    ...{ topic, partition: 1, wanted: 4, low: 0, high: 3 },
  });
  expect((await reader.next(100)).batches).toEqual([]);
  expect(await reader.begin([at(1, 3), at(0, 2)])).toEqual([3, 2]);
});

test("a position that the log does not keep any more begins where the log does, and the caller gets to know", async () => {
  const { kafka, admin, topic, write } = await createTopic(1);
  await write(0, 5);
  await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: "3" }] });
  const { reader } = await startReader(kafka, topic);

  expect(await reader.begin([{ topic, partition: 0, offset: 1 }])).toEqual([3]);
  expect(await reader.begin([{ topic, partition: 0, offset: undefined }])).toEqual([3]);
});

test("a reader that retention has overtaken begins anew, and does not go on behind what is gone", async () => {
  const { kafka, admin, topic, write } = await createTopic(1);
  const reader = createGroupReader({ kafka, groupId: topic, topics: [topic], log, inboxMessages: 1 });
  await reader.start();
  onTestFinished(() => reader.stop());
  await until(async () => (await reader.next(1_000)).assigned?.length === 1);
  await reader.begin([{ topic, partition: 0, offset: 0 }]);
  await write(0, 1);
  // Its inbox is full, so the reader pauses it.
  let isFull = false;
  const leaveIt = () => {
    isFull = true;
    return false;
  };
  await until(async () => {
    await reader.next(100, leaveIt);
    return isFull;
  });
  await write(0, 5);
  await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: "3" }] });

  const read: ReaderStep[] = [];
  await until(async () => {
    const step = await reader.next(1_000);
    read.push(step);
    return step.assigned?.length === 1;
  });

  expect(read.flatMap(({ batches }) => batches.map(({ next }) => next))).toEqual([1]);
  expect(await reader.begin([{ topic, partition: 0, offset: 1 }])).toEqual([3]);
});

test("a follower whose topic is replaced under it fails, and does not go on in the other log", async () => {
  const { kafka, admin, topic, write, provide } = await createTopic(1);
  await write(0, 3);
  const follower = createFollower({
    ...{ kafka, groupPrefix: topic, topics: [topic], log },
    from: () => "beginning",
    onBatch: () => undefined,
  });
  onTestFinished(() => follower.stop());
  await follower.start();
  await follower.caughtUp;

  await admin.deleteTopics({ topics: [topic] });
  await until(async () => !(await admin.listTopics()).includes(topic));
  await provide();

  await expect(follower.failed).rejects.toMatchObject({ name: "ForeignPosition" });
});

test("the broker is asked once per topic, however many partitions begin", async () => {
  const { kafka, topic } = await createTopic(24);
  let asked = 0;
  const counting = watched(kafka, () => {
    asked += 1;
  });
  const { reader, assigned } = await startReader(counting, topic);

  const starts = assigned.map((id) => ({ ...id, offset: undefined }));
  // The reader may have to ask for the leaders of new partitions once more.
  await reader.begin(starts);
  asked = 0;
  const offsets = await reader.begin(starts);

  expect(offsets).toEqual(assigned.map(() => 0));
  expect(asked).toBe(1);
});

test("a watchdog whose broker does not answer waits for it, and does not ask again", async () => {
  const { kafka, topic } = await createTopic(1);
  const answered = Promise.withResolvers<void>();
  let asked = 0;
  const silent = watched(kafka, () => {
    asked += 1;
    return answered.promise;
  });
  vi.useFakeTimers({ toFake: ["setInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  await startReader(silent, topic);

  for (let check = 0; check < 3; check++) vi.advanceTimersByTime(5_000);
  answered.resolve();

  expect(asked).toBe(1);
});

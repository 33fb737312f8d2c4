import { expect, onTestFinished, test } from "vitest";
import { offsetRanges, offsetsSince } from "../../../services/common/kafka/offsets.ts";
import { createTopic } from "./topic.ts";

const CALLERS = 20;
const QUESTIONS = 10;

test("callers that share an admin and ask for different topics at the same time are all answered", async () => {
  const [one, other] = [await createTopic(2), await createTopic(3)];
  await one.write(1, 2);
  await other.write(2, 1);
  const { admin } = one;
  const asked = [
    { topic: one.topic, ends: [0, 2] },
    { topic: other.topic, ends: [0, 0, 1] },
  ];
  const ask = async (caller: number) => {
    for (let i = 0; i < QUESTIONS; i++) {
      for (const { topic, ends } of caller % 2 === 0 ? asked : asked.toReversed()) {
        const ranges = await offsetRanges(admin, topic);
        expect(ranges).toEqual(ends.map((high, partition) => ({ partition, low: 0, high })));
        expect(await offsetsSince(admin, topic, 0, [0, 1])).toEqual(
          new Map(ends.map((_, partition) => [partition, 0])),
        );
      }
    }
  };

  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => ask(caller)));
});

test("a time before 1970 is older than every message", async () => {
  const { admin, topic, write } = await createTopic(2);
  await write(1, 3);

  for (const time of [-1, -2, -62_135_596_800_000]) {
    expect(await offsetsSince(admin, topic, time, [0, 1])).toEqual(
      new Map([
        [0, 0],
        [1, 0],
      ]),
    );
  }
});

test("every partition of a group's topic has its offset, whatever else the admin is asked at the same time", async () => {
  const first = await createTopic(2);
  const made = [first, ...(await Promise.all(Array.from({ length: 7 }, () => createTopic(2))))];
  const { kafka, topic: groupId } = first;
  await first.admin.setOffsets({ groupId, topic: first.topic, partitions: [{ partition: 0, offset: "7" }] });
  // Only an admin without metadata confused the topics of simultaneous calls.
  const askYoung = async () => {
    const admin = kafka.admin();
    onTestFinished(() => admin.disconnect());
    await admin.connect();
    const found = made.map(async ({ topic }, index) => {
      for (let i = 0; i < index; i++) await offsetRanges(admin, topic);
      return admin.fetchOffsets({ groupId, topics: [topic] });
    });
    return (await Promise.all(found)).flat().map(({ partitions }) => partitions.map(({ offset }) => offset));
  };

  const expected = made.map((each) => (each === first ? ["7", "-1"] : ["-1", "-1"]));
  for (let i = 0; i < QUESTIONS; i++) expect(await askYoung()).toEqual(expected);
});

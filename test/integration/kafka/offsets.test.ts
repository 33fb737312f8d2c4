import { expect, test } from "vitest";
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

import { expect, test } from "vitest";
import { createCatchUp } from "../../../../../../services/common/kafka/read/catch-up.ts";
import { garbageCollector } from "../../../../../support/running/garbage-collector.ts";

const noClose = async () => undefined;

test("a reader has caught up when it has passed the end that the log had at the call", async () => {
  const catchUp = createCatchUp(
    {
      ask: async () =>
        new Map([
          [0, 5],
          [1, 0],
        ]),
      close: noClose,
    },
    "topic",
  );
  const waited = catchUp.wait(10_000);
  let isOver = false;
  const over = waited.then(() => {
    isOver = true;
  });

  catchUp.passed(0, 4);
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  catchUp.passed(0, 5);
  await over;

  await catchUp.wait(10_000);
});

test("a broker that does not answer, and a partition without a leader, cost a caller no more than its time", async () => {
  const ofSilent = createCatchUp({ ask: () => new Promise(() => undefined), close: noClose }, "topic");
  const ofLeaderless = createCatchUp({ ask: async () => new Map([[0, undefined]]), close: noClose }, "topic");
  const ofRefusing = createCatchUp({ ask: () => Promise.reject(new Error("no broker")), close: noClose }, "topic");

  await expect(ofSilent.wait(1)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(ofLeaderless.wait(1)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(ofRefusing.wait(1)).rejects.toThrow("no broker");
});

test("callers that gave up leave nothing, however long the topic stays silent", async () => {
  const collect = garbageCollector();
  const asked: WeakRef<object>[] = [];
  const ask = async () => {
    const ends = new Map([[0, 5]]);
    asked.push(new WeakRef(ends));
    return ends;
  };
  const catchUp = createCatchUp({ ask, close: noClose }, "topic");

  let refused = 0;
  // An assertion for each promise would keep the promises.
  for (let i = 0; i < 20; i++) await catchUp.wait(1).catch(() => (refused += 1));
  expect(refused).toBe(20);
  await collect({ execution: "async" });

  // The last one may still be on the stack.
  expect(asked.filter((each) => each.deref() !== undefined).length).toBeLessThanOrEqual(1);
});

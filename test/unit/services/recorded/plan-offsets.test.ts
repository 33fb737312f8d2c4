import { expect, test } from "vitest";
import { firstKept, timeAt } from "../../../../services/recorded/plan-deps.ts";
import { checkSources, extentInLog } from "../../../../services/recorded/plan-offsets.ts";

const topic = "camera-log";
const T0 = Date.UTC(2026, 0, 1);
const message = { key: null, value: null, attributes: 0, offset: "10", timestamp: `${T0}`, headers: {} };

test("an offset that retention removes meanwhile ends the session with its reason", async () => {
  const removed = Object.assign(new Error("out of range"), { name: "KafkaJSOffsetOutOfRange" });
  const deps = { topic, fetcher: { fetch: () => Promise.reject(removed) } };
  const reason = { name: "SessionFailed", message: "the log no longer has offset 10 of partition 3" };

  await expect(timeAt(3, 10, deps)).rejects.toMatchObject(reason);
  await expect(firstKept({ partition: 3, low: 10, high: 20 }, deps)).rejects.toMatchObject(reason);
});

test("offsets up to a transaction marker at the end of the log extend to the present", async () => {
  const before = Date.now();
  const fetcher = { fetch: async (_: unknown, next: number) => ({ messages: next === 10 ? [message] : [], next }) };

  const extent = await extentInLog({ partition: 0, from: 10, to: 20 }, { topic, fetcher });

  expect(extent.recordedFrom).toBe(T0);
  expect(extent.recordedTo).toBeGreaterThanOrEqual(before);
});

test("a plan has a bounded number of data sources in all its segments", () => {
  const segments = (count: number) => Array.from({ length: count }, () => ({ dataSourceIds: Array(10_000).fill("a") }));

  expect(() => checkSources(segments(5))).not.toThrow();
  expect(() => checkSources(segments(6))).toThrow("more than 50000 data sources");
});

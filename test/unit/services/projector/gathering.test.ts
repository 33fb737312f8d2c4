import { expect, test } from "vitest";
import { namedKinds } from "../../../../projections/history/kinds.ts";
import { eventBoundsEnv, eventBoundsOf } from "../../../../schemas/bounds.ts";
import type { ReaderStep } from "../../../../services/common/kafka/read/group-reader.ts";
import { createGathering } from "../../../../services/projector/gathering.ts";
import { sizeOf } from "../../../../services/projector/project-batch.ts";
import { unreadable } from "../../../support/scenes/unreadable.ts";

const FLUSH_MS = 20;

const PAUSE_MS = 2 * FLUSH_MS;

/** Returns batches of these many messages, each when somebody has waited for `PAUSE_MS`. Then the log is silent. */
function readerOf(...sizes: readonly number[]) {
  let offset = 0;
  const steps = sizes.map((size): ReaderStep => {
    const messages = Array.from({ length: size }, () => {
      offset += 1;
      return { key: null, value: null, timestamp: "1", attributes: 0, headers: {}, offset: String(offset - 1) };
    });
    return {
      assigned: undefined,
      batches: [{ topic: "camera-log", partition: 0, messages, next: offset, highWatermark: offset }],
    };
  });
  return {
    next: async (timeoutMs: number) => {
      await new Promise((resolve) => setTimeout(resolve, Math.min(timeoutMs, PAUSE_MS)));
      const next = timeoutMs < PAUSE_MS ? undefined : steps.shift();
      return next ?? { assigned: undefined, batches: [] };
    },
  };
}

const projectOf = () => ({
  codec: unreadable,
  topics: namedKinds(""),
  bounds: eventBoundsOf(eventBoundsEnv.parse({})),
  maxRows: 50_100,
});

async function flushSizes(count: number, maxFlushMs: number, ...sizes: readonly number[]): Promise<number[]> {
  const reader = readerOf(...sizes);
  const { signal } = new AbortController();
  const gathering = createGathering({ reader, project: projectOf(), flushMs: FLUSH_MS, maxFlushMs, signal });
  const found: number[] = [];
  while (found.length < count) {
    const flush = await gathering.next();
    if ("stretches" in flush) found.push(sizeOf(flush));
  }
  return found;
}

test("a flush of few rows waits for the usual time, whatever the longest time is", async () => {
  expect(await flushSizes(1, 3_600_000, 10)).toEqual([10]);
});

test("a flush of many rows waits until it is full or the longest time has passed", async () => {
  expect(await flushSizes(1, 3_600_000, 50_000, 50, 50)).toEqual([50_100]);
  expect(await flushSizes(1, 2 * PAUSE_MS, 50_000)).toEqual([50_000]);
});

test("no flush waits longer than the longest time", async () => {
  expect(await flushSizes(2, 0, 50_000, 50)).toEqual([50_000, 50]);
});

test("the time for which messages waited for the reader is a part of the time for which a flush waits", async () => {
  const { signal } = new AbortController();
  const options = { reader: readerOf(10), project: projectOf(), flushMs: 3_600_000, maxFlushMs: 0, signal };

  const flush = await createGathering({ ...options, readMs: 3_600_000 }).next();

  expect("stretches" in flush && sizeOf(flush)).toBe(10);
});

import type { KafkaMessage } from "kafkajs";
import { expect, test } from "vitest";
import { COPIED_FROM } from "../../../../../schemas/headers.ts";
import { createRandom } from "../../../../../services/cli/demo/scene/random.ts";
import { type CopyPair, createNewOffsets } from "../../../../../services/cli/repartition/new-offsets.ts";
import type { LogFetcher } from "../../../../../services/common/kafka/read/fetch-log.ts";

const PORTION = 50;

/** A log with the copies; between them are marks of transactions, which no reader gets. */
function logOf(pairs: readonly CopyPair[], high: number): LogFetcher {
  return {
    name: "log",
    start: async () => undefined,
    stop: async () => undefined,
    async fetch(_id, offset) {
      const found = pairs.filter(({ copy }) => copy >= offset).slice(0, PORTION);
      const messages = found.map(({ original, copy }): KafkaMessage => {
        const headers = { [COPIED_FROM]: Buffer.from(`0/${original}`) };
        return { offset: String(copy), headers, key: null, value: null, timestamp: "0", attributes: 0 };
      });
      const isEnd = found.length < PORTION;
      return { messages, next: isEnd ? high : (found.at(-1)?.copy ?? offset) + 1 };
    },
  };
}

function somePairs(count: number): CopyPair[] {
  const random = createRandom(7);
  const pairs: CopyPair[] = [];
  let [original, copy] = [100, 0];
  for (let i = 0; i < count; i++) {
    pairs.push({ original, copy });
    original += Math.round(random.between(1, 9));
    copy += random.chance(0.1) ? 2 : 1;
  }
  return pairs;
}

const floorIn = (pairs: readonly CopyPair[], original: number) => pairs.findLast((pair) => pair.original <= original);

test.each([0, 3_000, 9_990])(
  "finds the newest copy of an earlier or equal original, %i of 10 000 in memory",
  async (kept) => {
    const pairs = somePairs(10_000);
    const high = (pairs.at(-1)?.copy ?? 0) + 2;
    const offsets = createNewOffsets({
      fetcher: logOf(pairs, high),
      topic: "t",
      range: async () => ({ low: 0, high }),
    });
    for (const pair of pairs.slice(pairs.length - kept)) offsets.assigned(0, pair);
    const last = pairs.at(-1)?.original ?? 0;
    const random = createRandom(8);

    for (let i = 0; i < 60; i++) {
      const original = Math.round(random.between(0, last + 20));
      expect(await offsets.floor(0, original)).toEqual(floorIn(pairs, original));
    }
    for (const { original, copy } of pairs.slice(2_000, 2_300)) {
      expect(await offsets.floor(0, original)).toEqual({ original, copy });
    }
  },
);

test("finds nothing in a partition without copies", async () => {
  const range = async () => ({ low: 0, high: 0 });
  const offsets = createNewOffsets({ fetcher: logOf([], 0), topic: "t", range });

  expect(await offsets.floor(0, 5)).toBeUndefined();
});

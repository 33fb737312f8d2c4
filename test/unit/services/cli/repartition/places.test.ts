import { expect, test } from "vitest";
import { partitionOfKey } from "../../../../../schemas/partition-of-key.ts";
import { countsFlaw, targetOf, targetsOf } from "../../../../../services/cli/repartition/places.ts";

const COUNTS = { from: 6, to: 48 };
const KEYS = Array.from({ length: 2_000 }, (_, i) => `camera-${i}`);

test("a key goes from its old partition to one of that partition's new ones, which is its own under the new number", () => {
  for (const key of KEYS) {
    const partition = partitionOfKey(key, COUNTS.from);
    const target = targetOf(key, partition, COUNTS);

    expect(target).toBe(partitionOfKey(key, COUNTS.to));
    expect(targetsOf(partition, COUNTS)).toContain(target);
  }
});

test("each new partition has messages of one old partition only", () => {
  const all = Array.from({ length: COUNTS.from }, (_, partition) => targetsOf(partition, COUNTS)).flat();

  expect(all.toSorted((a, b) => a - b)).toEqual(Array.from({ length: COUNTS.to }, (_, i) => i));
});

test("a message in a wrong partition stays in a wrong one, so readers refuse it as before", () => {
  for (const key of KEYS) {
    const wrong = (partitionOfKey(key, COUNTS.from) + 1) % COUNTS.from;

    expect(targetOf(key, wrong, COUNTS)).not.toBe(partitionOfKey(key, COUNTS.to));
  }
  expect(targetOf(undefined, 3, COUNTS)).toBe(3);
});

test.each([
  [6, 48, true],
  [12, 24, true],
  [6, 6, false],
  [6, 20, false],
  [6, 3, false],
  [6, Number.NaN, false],
  [6, 6_000, false],
])("from %i to %i partitions", (from, to, isPossible) => {
  expect(countsFlaw({ from, to }) === undefined).toBe(isPossible);
});

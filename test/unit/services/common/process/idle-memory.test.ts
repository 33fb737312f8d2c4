import { expect, test } from "vitest";
import { MIB } from "../../../../../schemas/units.ts";
import { Idleness, releaseMemory } from "../../../../../services/common/process/idle-memory.ts";

const IDLE = { processorShare: 0.01, heapBytes: 90 * MIB };
const BUSY = { processorShare: 0.3, heapBytes: 90 * MIB };

const looks = (idleness: Idleness, all: readonly (typeof IDLE)[]) => all.map((look) => idleness.isReleaseDue(look));

test("memory is given back when the process has been idle for three looks in a row", () => {
  expect(looks(new Idleness(), [IDLE, IDLE, BUSY, IDLE, IDLE, IDLE])).toEqual([
    false,
    false,
    false,
    false,
    false,
    true,
  ]);
});

test("it is not given back again until the heap has grown", () => {
  const idleness = new Idleness();
  looks(idleness, [IDLE, IDLE, IDLE]);

  idleness.released(40 * MIB);

  expect(looks(idleness, [{ ...IDLE, heapBytes: 45 * MIB }])).toEqual([false]);
  expect(looks(idleness, [{ ...IDLE, heapBytes: 60 * MIB }])).toEqual([true]);
});

test("what no one uses any more is given back to the system", () => {
  let garbage: unknown = Array.from({ length: 1_000_000 }, (_, i) => ({ i }));
  expect(garbage).toHaveLength(1_000_000);
  const before = process.memoryUsage().heapTotal;

  garbage = undefined;
  releaseMemory();

  expect(garbage).toBeUndefined();
  expect(process.memoryUsage().heapTotal).toBeLessThan(before - 20 * MIB);
});

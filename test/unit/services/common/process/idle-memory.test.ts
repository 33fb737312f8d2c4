import { expect, test } from "vitest";
import { MIB } from "../../../../../schemas/units.ts";
import { Idleness, releaseMemory } from "../../../../../services/common/process/idle-memory.ts";

const IDLE = { processorShare: 0.01, heapBytes: 90 * MIB, usedBytes: 50 * MIB };
const BUSY = { ...IDLE, processorShare: 0.3 };

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

test("after a load it is given back again, if the heap has grown", () => {
  const idleness = new Idleness();
  looks(idleness, [IDLE, IDLE, IDLE]);
  idleness.released(40 * MIB);
  const small = { ...IDLE, heapBytes: 45 * MIB };
  const large = { ...IDLE, heapBytes: 60 * MIB };

  expect(looks(idleness, [BUSY, small, small, small])).toEqual([false, false, false, false]);
  expect(looks(idleness, [large])).toEqual([true]);
});

test("without a load it is given back again after ten minutes at the earliest", () => {
  const idleness = new Idleness();
  looks(idleness, [IDLE, IDLE, IDLE]);
  idleness.released(40 * MIB);

  const found = looks(
    idleness,
    Array.from({ length: 61 }, () => IDLE),
  );

  expect(found.indexOf(true)).toBe(59);
});

test("a process that uses much keeps it: its event loop would stand still for long", () => {
  const large = { ...IDLE, heapBytes: 900 * MIB, usedBytes: 600 * MIB };

  expect(looks(new Idleness(), [large, large, large, large])).toEqual([false, false, false, false]);
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

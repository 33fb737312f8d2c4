import { expect, test } from "vitest";
import { FairLine } from "../../../../../services/common/fairness/fair-line.ts";

function lineOf(...entries: readonly (readonly [caller: string, item: number])[]): FairLine<number> {
  const line = new FairLine<number>();
  for (const [caller, item] of entries) line.push(caller, item);
  return line;
}

function all(line: FairLine<number>): (number | undefined)[] {
  const taken: (number | undefined)[] = [];
  while (line.size > 0) taken.push(line.shift());
  return taken;
}

test("the things of one caller keep their order", () => {
  expect(all(lineOf(["a", 1], ["a", 2], ["a", 3]))).toEqual([1, 2, 3]);
});

test("callers take turns, however many things one of them has", () => {
  const line = lineOf(["a", 1], ["a", 2], ["a", 3], ["a", 4], ["b", 11], ["c", 21], ["b", 12]);

  expect(all(line)).toEqual([1, 11, 21, 2, 12, 3, 4]);
  expect(line.shift()).toBeUndefined();
});

test("a caller that comes while another one's things are taken has the turn after the next", () => {
  const line = lineOf(["a", 1], ["a", 2], ["a", 3]);
  const first = line.shift();
  line.push("b", 11);

  expect([first, ...all(line)]).toEqual([1, 2, 11, 3]);
});

test("a caller that may not have a turn keeps its place", () => {
  const line = lineOf(["a", 1], ["b", 11], ["b", 12]);

  const withoutA = () => line.shift((caller) => (caller === "a" ? undefined : 0));

  expect([withoutA(), withoutA(), withoutA()]).toEqual([11, 12, undefined]);
  expect(all(line)).toEqual([1]);
});

test("the caller with the lowest rank is the next, and callers of one rank take turns", () => {
  const line = lineOf(["a", 1], ["b", 11], ["c", 21], ["b", 12], ["c", 22]);
  const ranks: Readonly<Record<string, number>> = { a: 3, b: 1, c: 1 };
  const taken = [1, 2, 3, 4, 5].map(() => line.shift((caller) => ranks[caller]));

  expect(taken).toEqual([11, 21, 12, 22, 1]);
});

test("a thing that was removed is not taken, and the line remembers no caller without things", () => {
  const line = lineOf(["a", 1], ["a", 2], ["b", 11]);
  line.remove("a", 1);
  line.remove("b", 11);
  line.remove("b", 11);
  line.remove("nobody", 5);

  expect([line.size, line.countOf("a"), line.countOf("b")]).toEqual([1, 1, 0]);
  expect(all(line)).toEqual([2]);
});

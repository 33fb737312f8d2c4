import { expect, test } from "vitest";
import { growing, tableOf } from "../../../soak/trend.ts";

const samples = (of: (i: number) => number) => Array.from({ length: 60 }, (_, i) => ({ "api heap MiB": of(i) }));

test("a figure that rises to the end grows", () => {
  expect(growing(samples((i) => 100 + i))).toEqual(["api heap MiB"]);
});

test("a figure that rises at the beginning and then swings is flat", () => {
  expect(growing(samples((i) => (i < 20 ? 5 * i : 100 + 10 * (i % 2))))).toEqual([]);
});

test("a lag of a few messages more is chance, one that rises by a hundredth of the messages is growth", () => {
  const lag = (perPart: number) =>
    Array.from({ length: 60 }, (_, i) => ({ "projector lag": 7 + perPart * Math.floor(i / 10) }));

  expect(growing(lag(3))).toEqual([]);
  // A part of half an hour has 5 400 messages.
  expect(growing(lag(54))).toEqual(["projector lag"]);
});

test("the table has a row per figure, with the median of each part and the highest value", () => {
  const [, , row] = tableOf(samples((i) => Math.floor(i / 10))).split("\n");

  expect(row).toBe("| api heap MiB | 0.0 | 1.0 | 2.0 | 3.0 | 4.0 | 5.0 | 5.0 |");
});

import { expect, test } from "vitest";
import { groupTotals, stacksOf } from "../../../../../services/console/questions/stacks.ts";

const bucket = (time: number | null, group: string, total: number) => ({ time, key: group, group, total });

test("groups stand on one another, the largest at the bottom, with zeros where nothing was", () => {
  const stacks = stacksOf([bucket(0, "car", 1), bucket(0, "person", 4), bucket(20, "person", 2)], 10);

  expect(stacks).toEqual({
    times: [0, 10, 20],
    groups: [
      { name: "person", isOthers: false, values: [4, 0, 2], tops: [4, 0, 2], total: 6 },
      { name: "car", isOthers: false, values: [1, 0, 0], tops: [5, 0, 2], total: 1 },
    ],
  });
});

test("groups after the seventh are one, on top of all", () => {
  const buckets = Array.from({ length: 12 }, (_, i) => bucket(0, `tag ${i}`, 20 - i));

  const groups = stacksOf(buckets, 10)?.groups ?? [];

  expect(groups.map(({ name }) => name)).toEqual([...Array.from({ length: 7 }, (_, i) => `tag ${i}`), "others"]);
  expect(groups.at(-1)).toMatchObject({
    values: [13 + 12 + 11 + 10 + 9],
    tops: [groupTotals(buckets).reduce((s, g) => s + g.total, 0)],
  });
});

test("two groups of one name are two", () => {
  const buckets = [
    { time: 0, key: "a", group: "Gate", total: 2 },
    { time: 0, key: "b", group: "Gate", total: 1 },
  ];

  expect(stacksOf(buckets, 10)?.groups.map(({ name, total }) => [name, total])).toEqual([
    ["Gate", 2],
    ["Gate", 1],
  ]);
  expect(groupTotals(buckets).map(({ key, total }) => [key, total])).toEqual([
    ["a", 2],
    ["b", 1],
  ]);
});

test("counts without times, and a plot that would be too long, have no stacks", () => {
  expect(stacksOf([bucket(null, "car", 1)], 10)).toBeUndefined();
  expect(stacksOf([bucket(0, "car", 1), bucket(1e9, "car", 1)], 1)).toBeUndefined();
});

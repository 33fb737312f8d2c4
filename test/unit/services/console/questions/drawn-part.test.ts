import { expect, test } from "vitest";
import { partText, timeOfPart } from "../../../../../services/console/questions/drawn-part.ts";
import type { AnswerRow } from "../../../../../services/console/questions/question.ts";

const row = (from: number, to: number | null): AnswerRow => ({
  id: String(from),
  cells: [],
  links: [],
  span: { from, to, tag: "person" },
});
const NOW = 9_000_000;
const period = { from: 0, to: 3_600_000 };

test("a whole answer has the time of its question, a part of it the time of its rows", () => {
  const rows = [row(3_000_000, 3_100_000), row(3_200_000, null)];

  expect(timeOfPart({ rows, isPart: false, period }, NOW)).toEqual(period);
  expect(timeOfPart({ rows, isPart: true, period }, NOW)).toEqual({ from: 3_000_000, to: 3_600_000 });
  expect(timeOfPart({ rows, isPart: true, period: undefined }, NOW)).toEqual({ from: 3_000_000, to: NOW });
});

test("a part does not begin before the time of the question", () => {
  expect(timeOfPart({ rows: [row(-500_000, 100_000)], isPart: true, period }, NOW)).toEqual({ from: 0, to: 100_000 });
});

test.each([
  [
    { before: 0, order: "newest", hasNext: true },
    /^The newest 1\D?000 of 3\D?188 are drawn; earlier ones are on the next page\.$/,
  ],
  [{ before: 0, order: "oldest", hasNext: true }, /^The oldest 1\D?000 .*; later ones/],
  [{ before: 1_000, order: "newest", hasNext: true }, /^Numbers 1\D?001 – 2\D?000 of 3\D?188 are drawn; earlier ones/],
  [{ before: 3_000, order: undefined, hasNext: false }, /^Numbers 3\D?001 – 4\D?000 of 3\D?188 are drawn\.$/],
] as const)("the part %o says what it is", (place, words) => {
  expect(partText({ count: 1_000, total: 3_188, ...place })).toMatch(words);
});

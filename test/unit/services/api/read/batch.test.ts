import { expect, test } from "vitest";
import { createBatch } from "../../../../../services/api/read/batch.ts";

test("what is asked in one turn is answered together, each with its own answer", async () => {
  const asked: (readonly number[])[] = [];
  const batch = createBatch(async (keys: readonly number[]) => {
    asked.push(keys);
    return keys.map((key) => key * 2);
  });

  const answers = await Promise.all([batch.load(1), Promise.resolve().then(() => batch.load(2)), batch.load(1)]);
  await batch.load(3);

  expect(answers).toEqual([2, 4, 2]);
  expect(asked).toEqual([[1, 1, 2], [3]]);
});

test("a failure reaches everyone who asked, and nobody after", async () => {
  let fail = true;
  const batch = createBatch(async (keys: readonly number[]) => {
    if (fail) throw new Error("away");
    return keys;
  });

  const refused = await Promise.allSettled([batch.load(1), batch.load(2)]);
  fail = false;

  expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await batch.load(3)).toBe(3);
});

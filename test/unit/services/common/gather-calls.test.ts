import { expect, test } from "vitest";
import { gatherCalls } from "../../../../services/common/gather-calls.ts";

function createGathered(mostKeys = 10) {
  const asked: string[][] = [];
  const call = gatherCalls(async (keys: readonly string[]) => {
    asked.push([...keys]);
    if (keys.includes("bad")) throw new Error("refused");
    return keys.map((key) => `${key}!`);
  }, mostKeys);
  return { asked, call };
}

test("the calls of one turn are one, and each gets its own value", async () => {
  const { asked, call } = createGathered();

  expect(await Promise.all(["a", "b", "a"].map(call))).toEqual(["a!", "b!", "a!"]);
  expect(await call("c")).toBe("c!");

  expect(asked).toEqual([["a", "b", "a"], ["c"]]);
});

test("calls beyond the limit are asked apart", async () => {
  const { asked, call } = createGathered(2);

  expect(await Promise.all(["a", "b", "c", "d", "e"].map(call))).toEqual(["a!", "b!", "c!", "d!", "e!"]);

  expect(asked).toEqual([["a", "b"], ["c", "d"], ["e"]]);
});

test("a call that fails fails those that it was made for, and no later ones", async () => {
  const { call } = createGathered();

  const outcomes = await Promise.allSettled([call("a"), call("bad")]);

  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await call("a")).toBe("a!");
});

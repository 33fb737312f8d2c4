import { expect, test } from "vitest";
import { createIdSet } from "../../../../../services/webhooks/queue/id-set.ts";

test("the ids that were added are found, others are not, and each counts once, however often the set has grown", () => {
  const ids = createIdSet();
  const added = Array.from({ length: 20_000 }, (_, n) => `signal-${n}`);

  for (const id of [...added, ...added]) ids.add(id);

  expect(ids.size).toBe(added.length);
  expect(added.filter((id) => !ids.has(id))).toEqual([]);
  expect(added.filter((id) => ids.has(`${id}.`))).toEqual([]);
});

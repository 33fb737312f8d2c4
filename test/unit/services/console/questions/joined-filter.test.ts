import { expect, test } from "vitest";
import { joinedFilter } from "../../../../../services/console/questions/joined-filter.ts";

test("conditions on different members are one object", () => {
  expect(joinedFilter([{ time: {} }, { tag: { eq: "a" } }])).toEqual({ time: {}, tag: { eq: "a" } });
  expect(joinedFilter([{ attribute: { type: { eq: "colour" } } }, { attribute: { value: { eq: "red" } } }])).toEqual({
    attribute: { type: { eq: "colour" }, value: { eq: "red" } },
  });
});

test("conditions that say different things of one member must both hold", () => {
  const [valid, near] = [{ or: [{ validation: { eq: "VALID" } }] }, { or: [{ name: { eq: "a" } }] }];
  expect(joinedFilter([valid, near])).toEqual({ ...valid, and: [near] });
  expect(joinedFilter([{ and: [valid] }, valid, near])).toEqual({ ...valid, and: [valid, near] });
});

import { expect, test } from "vitest";
import { applyPatch } from "../../../../projections/catalog/patch.ts";

const before = { name: "Yard", labels: ["outside"], address: "1 Quay" };

test("a member that is not said stays, one that is cleared is null", () => {
  const patch = { set: { name: "Gate", labels: null, address: null }, cleared: ["address"] };
  expect(applyPatch(before, patch)).toEqual({ name: "Gate", labels: ["outside"], address: null });
});

test("a value outweighs that its field is cleared", () => {
  const patch = { set: { address: "2 Quay" }, cleared: ["address", "labels"] };
  expect(applyPatch(before, patch)).toEqual({ name: "Yard", labels: null, address: "2 Quay" });
});

import { expect, test } from "vitest";
import { hashSlotOf } from "../../../../../services/common/redis/hash-slot.ts";

// Values of CLUSTER KEYSLOT.
test.each([
  ["", 0],
  ["foo", 12_182],
  ["123456789", 12_739],
  ["bar{foo}", 12_182],
  ["{foo}{bar}", 12_182],
  ["foo{}{bar}", 8_363],
  ["foo{{bar}}zap", 4_015],
  ["{foo", 13_308],
  ["ключ", 10_303],
])("the hash slot of %j is %i", (key, slot) => {
  expect(hashSlotOf(key)).toBe(slot);
});

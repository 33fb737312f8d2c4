import { expect, test } from "vitest";
import { sparkPoints } from "../../../../../services/console/picture/spark.ts";

test("the largest value is at the top, and nothing at the bottom", () => {
  expect(sparkPoints([0, 2, 4])).toBe("0,10 1,5 2,0");
  expect(sparkPoints([0, 0])).toBe("0,10 1,10");
});

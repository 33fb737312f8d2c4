import { expect, test } from "vitest";
import { planAround } from "../../../../../services/console/picture/plan.ts";

test("east is to the right, north is up, and degrees are metres", () => {
  const toPlan = planAround([4.3, 60]);

  const [x, y] = toPlan([4.301, 60.001]);

  // A thousandth of a degree of latitude is some 111 m; at 60 degrees north, one of longitude is half of that.
  expect(x).toBeCloseTo(55.6, 1);
  expect(y).toBeCloseTo(-111.2, 1);
});

test("a place across the 180th meridian is near", () => {
  const [x] = planAround([179.999, 0])([-179.999, 0]);

  expect(x).toBeCloseTo(222.4, 1);
});

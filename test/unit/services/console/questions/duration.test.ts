import { expect, test } from "vitest";
import { durationMs } from "../../../../../services/console/questions/duration.ts";

test.each([
  ["PT3S", 3_000],
  ["PT0.25S", 250],
  ["PT1H2M3.5S", 3_723_500],
  ["P2DT1M", 2 * 86_400_000 + 60_000],
  ["P1D", 86_400_000],
  ["3 s", null],
])("%s has %s milliseconds", (text, ms) => {
  expect(durationMs(text)).toBe(ms);
});

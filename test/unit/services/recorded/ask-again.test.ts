import { expect, test } from "vitest";
import { askAgainMs, BEHIND_MS } from "../../../../services/recorded/plan-deps.ts";

test("a session asks fewer than a hundred times for tracks that a history behind the log does not have yet", () => {
  let rounds = 0;
  for (let waitedMs = 0; waitedMs < BEHIND_MS; waitedMs += askAgainMs(rounds)) rounds += 1;

  expect(rounds).toBeLessThan(100);
  expect(askAgainMs(0)).toBe(250);
});

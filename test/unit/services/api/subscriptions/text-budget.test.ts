import { expect, test } from "vitest";
import { tokenLimitsEnv } from "../../../../../services/api/limits/config.ts";
import { createTokenLimits } from "../../../../../services/api/limits/token-limits.ts";
import { createTextBudget } from "../../../../../services/api/subscriptions/text-budget.ts";
import { createLog } from "../../../../../services/common/log.ts";

function budgetOf(subscriptions: number, maxBytesPerToken = 1_000_000) {
  const config = tokenLimitsEnv.parse({ API_TOKEN_SUBSCRIPTIONS: subscriptions });
  const tokenLimits = createTokenLimits({ ...config, API_AUTH: true }, createLog("test", "silent"));
  return createTextBudget({ maxBytes: 1_000_000, maxBytesPerToken, tokenLimits });
}

test("a token has a number of subscriptions, others have theirs, and one that ends makes room", () => {
  const texts = budgetOf(2);
  texts.take(10, "a");
  texts.take(10, "a");

  expect(() => texts.take(10, "a")).toThrow(expect.objectContaining({ code: "TOO_MANY_REQUESTS" }));
  texts.take(10, "b");
  texts.giveBack(10, "a");
  texts.take(10, "a");
});

test("a subscription that is refused for its text takes no place", () => {
  const texts = budgetOf(1, 2_000);

  expect(() => texts.take(5_000, "a")).toThrow(expect.objectContaining({ code: "UNAVAILABLE" }));
  texts.take(10, "a");
});

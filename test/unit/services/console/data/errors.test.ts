import { expect, test } from "vitest";
import { ApiError, isTemporary, waitMsAfter } from "../../../../../services/console/data/errors.ts";

test("a server that is away or busy may answer later, and a refusal stays one", () => {
  expect(
    ["UNAVAILABLE", "TOO_MANY_REQUESTS", "UNREACHABLE", "FORBIDDEN"].map((code) => isTemporary(new ApiError(code, ""))),
  ).toEqual([true, true, true, false]);
});

test("waits double up to a minute, and are as long as the server asks for", () => {
  const error = new ApiError("UNAVAILABLE", "");

  expect([1, 2, 3, 100].map((failures) => waitMsAfter(error, failures))).toEqual([1_000, 2_000, 4_000, 60_000]);
  expect(waitMsAfter(new ApiError("TOO_MANY_REQUESTS", "", { retryAfterMs: 90_000 }), 1)).toBe(90_000);
});

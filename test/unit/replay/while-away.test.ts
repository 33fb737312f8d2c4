import { expect, test } from "vitest";
import { SessionFailed } from "../../../services/replay/failed.ts";
import { createTries } from "../../../services/replay/while-away.ts";

const failure = (code: string) => Object.assign(new Error("no answer"), { code });

/** After how many failures in a row there is no other try; `most` = there always is. */
function failuresOf(codes: (n: number) => string, everyMs: number, most = 100): number {
  const tries = createTries();
  for (let n = 1; n <= most; n++) {
    try {
      tries.failed(failure(codes(n)), n * everyMs);
    } catch (error) {
      expect(error).toBeInstanceOf(SessionFailed);
      return n;
    }
  }
  return most;
}

const MINUTE = 60_000;

test("a query that the store gives up again and again ends the session; a store that is away does not", () => {
  expect(failuresOf(() => "159", MINUTE)).toBe(8);
  expect(failuresOf((n) => (n % 2 === 0 ? "159" : "241"), MINUTE)).toBe(8);
  expect(failuresOf((n) => (n % 5 === 0 ? "ECONNREFUSED" : "241"), MINUTE)).toBe(100);
  expect(failuresOf(() => "ECONNREFUSED", MINUTE)).toBe(100);
});

test("a store that lacks memory for a minute ends no session, however soon it answers; one that lacks it for long does", () => {
  expect(failuresOf(() => "241", MINUTE / 100)).toBe(100);
  expect(failuresOf(() => "241", MINUTE / 4)).toBe(13);
});

test("a mistake is not tried again", () => {
  expect(() => createTries().failed(failure("62"), 0)).toThrow("no answer");
});

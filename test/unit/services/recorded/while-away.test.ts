import { expect, test } from "vitest";
import { NoLeader } from "../../../../services/common/kafka/offsets.ts";
import { SessionFailed } from "../../../../services/recorded/failed.ts";
import { createTries } from "../../../../services/recorded/while-away.ts";

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
  expect(failuresOf(() => "160", MINUTE)).toBe(8);
  expect(failuresOf((n) => (n % 5 === 0 ? "ECONNREFUSED" : "241"), MINUTE / 2)).toBe(100);
  expect(failuresOf(() => "ECONNREFUSED", MINUTE / 2)).toBe(100);
});

test("a store that lacks memory for a minute ends no session, however soon it answers; one that lacks it for long does", () => {
  expect(failuresOf(() => "241", MINUTE / 100)).toBe(100);
  expect(failuresOf(() => "241", MINUTE / 4)).toBe(13);
});

test.each([
  ["Kafka", new NoLeader("log", [1])],
  ["Kafka", Object.assign(new Error("gave up"), { retriable: false, cause: failure("ECONNREFUSED") })],
  ["the history", failure("ECONNREFUSED")],
])("a session whose store was away for an hour ends, and %s is named", (store, error) => {
  const tries = createTries();
  for (let at = 0; at < 60; at++) tries.failed(error, at * MINUTE);

  expect(() => tries.failed(error, 60 * MINUTE)).toThrow(`${store} did not answer for 60 minutes`);
});

test("what is written to Redis is tried as long as Redis is away", () => {
  const tries = createTries(Number.POSITIVE_INFINITY);

  for (let at = 0; at < 10_000; at++) tries.failed(failure("ECONNREFUSED"), at * MINUTE);
});

test("a mistake is not tried again", () => {
  expect(() => createTries().failed(failure("62"), 0)).toThrow("no answer");
});

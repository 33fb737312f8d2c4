import { expect, test } from "vitest";
import { SessionFailed } from "../../../services/replay/failed.ts";
import { createTries } from "../../../services/replay/while-away.ts";

const failure = (code: string) => Object.assign(new Error("no answer"), { code });

/** After how many failures in a row there is no other try; `most` = there always is. */
function failuresOf(codes: (n: number) => string, most = 100): number {
  const tries = createTries();
  for (let n = 1; n <= most; n++) {
    try {
      tries.failed(failure(codes(n)));
    } catch (error) {
      expect(error).toBeInstanceOf(SessionFailed);
      return n;
    }
  }
  return most;
}

test("a query that the store gives up again and again ends the session; a store that is away does not", () => {
  expect(failuresOf(() => "159")).toBe(8);
  expect(failuresOf((n) => (n % 2 === 0 ? "159" : "241"))).toBe(8);
  expect(failuresOf((n) => (n % 5 === 0 ? "ECONNREFUSED" : "241"))).toBe(100);
  expect(failuresOf(() => "ECONNREFUSED")).toBe(100);
});

test("a mistake is not tried again", () => {
  expect(() => createTries().failed(failure("62"))).toThrow("no answer");
});

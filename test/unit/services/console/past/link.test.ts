import { expect, test } from "vitest";
import { momentOf, queryOf } from "../../../../../services/console/past/link.ts";

const query = "?at=2026-06-01T12:00:00.040Z&from=2026-06-01T11:00:00.000Z&to=2026-06-01T13:00:00.000Z";

test("a link gives back what was put in it", () => {
  expect(queryOf(momentOf(new URLSearchParams(query)), new URLSearchParams())).toBe(query);
});

test("other members of the address stay", () => {
  expect(queryOf({ at: 0, range: undefined }, new URLSearchParams("zone=a&from=x"))).toBe(
    "?zone=a&at=1970-01-01T00:00:00.000Z",
  );
});

test("the address of a live page names no moment", () => {
  expect(queryOf({ at: undefined, range: undefined }, new URLSearchParams(query))).toBe("");
});

test("what is no time, or no range, is left out", () => {
  expect(momentOf(new URLSearchParams("at=soon&from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z"))).toEqual({
    at: undefined,
    range: undefined,
  });
});

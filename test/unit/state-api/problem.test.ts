import { expect, test } from "vitest";
import { problemOf } from "../../../services/state-api/http/problem.ts";

const ofClickHouse = (code: string) => problemOf(Object.assign(new Error("a query and its rows"), { code }));

test.each([
  ["a table that no projector has made yet", "60"],
  ["a database that no projector has made yet", "81"],
  ["a query that takes too long", "159"],
  ["a query that is too slow", "160"],
])("%s is 503, and the caller may come again", (_name, code) => {
  const { status, headers, document } = ofClickHouse(code);

  expect([status, headers["retry-after"]]).toEqual([503, "1"]);
  expect(JSON.stringify(document)).not.toContain("rows");
});

test("a query that the store does not understand is a mistake of ours", () => {
  expect(ofClickHouse("62").status).toBe(500);
});

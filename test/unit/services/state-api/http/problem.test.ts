import { expect, test } from "vitest";
import { problemOf } from "../../../../../services/state-api/http/problem.ts";

const ofClickHouse = (code: string) => problemOf(Object.assign(new Error("a query and its rows"), { code }));

test.each([
  ["a table that no projector has made yet", "60"],
  ["a database that no projector has made yet", "81"],
  ["a store whose queries together take too much memory", "241"],
])("%s is 503, and the caller may come again", (_name, code) => {
  const { status, headers, document } = ofClickHouse(code);

  expect([status, headers["retry-after"]]).toEqual([503, "1"]);
  expect(JSON.stringify(document)).not.toContain("rows");
});

test.each([
  ["takes too long", "159", "Timeout exceeded"],
  ["is too slow", "160", "Estimated query execution time is too long"],
  ["has too long a constant", "128", "Array of size 1100001 is too large to be manipulated as single field"],
  ["takes too much memory", "241", "Query memory limit exceeded: would use 1.02 GiB"],
  ["takes too much memory for an older server", "241", "Memory limit (for query) exceeded: would use 1.02 GiB"],
])("a query that %s is 422, and repeating it is not suggested", (_name, code, message) => {
  const { status, headers, document } = problemOf(Object.assign(new Error(message), { code }));

  expect([status, headers["retry-after"]]).toEqual([422, undefined]);
  expect(document.type).toBe("urn:tracklog:problem:query-too-heavy");
});

test("a query that the store does not understand is a mistake of ours", () => {
  expect(ofClickHouse("62").status).toBe(500);
});

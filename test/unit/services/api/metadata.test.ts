import { expect, test } from "vitest";
import { parseMetadata } from "../../../../services/api/write/detection.ts";

const nested = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

test("metadata may be nested, but not so deeply that it could not be written again", () => {
  expect(parseMetadata(nested(100), ["metadata"])).toBe(`${"[".repeat(100)}${"]".repeat(100)}`);
  for (const levels of [101, 100_000]) {
    expect(() => parseMetadata({ a: nested(levels) }, ["metadata"])).toThrow("deeper than 100 levels");
  }
});

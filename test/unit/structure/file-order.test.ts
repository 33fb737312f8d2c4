import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { LONG } from "../../support/running/file-order.ts";

test("every test file that is known to take long exists", () => {
  const root = fileURLToPath(new URL("../../..", import.meta.url));

  expect(Object.keys(LONG).filter((file) => !existsSync(`${root}${file}`))).toEqual([]);
});

import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "../../structure/repository.ts";
import { LONG } from "../../support/running/file-order.ts";

test("every test file that is known to take long exists", () => {
  expect(Object.keys(LONG).filter((file) => !existsSync(`${ROOT}${file}`))).toEqual([]);
});

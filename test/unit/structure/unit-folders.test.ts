// A unit test lies where what it tests lies, below test/unit.
import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "../../structure/repository.ts";

test("every folder of test/unit is one of the code, but for the tests of the structure itself", () => {
  const folders = readdirSync(`${ROOT}test/unit`, { recursive: true, withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(`${ROOT}test/unit/`.length));

  expect(folders).toContain("projections/live");
  expect(folders.filter((folder) => folder !== "structure" && !existsSync(`${ROOT}${folder}`))).toEqual([]);
});

// A unit test lies where what it tests lies, below test/unit.
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));

test("every folder of test/unit is one of the code, but for the tests of the structure itself", () => {
  const folders = readdirSync(`${root}test/unit`, { recursive: true, withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(`${root}test/unit/`.length));

  expect(folders).toContain("projections/live");
  expect(folders.filter((folder) => folder !== "structure" && !existsSync(`${root}${folder}`))).toEqual([]);
});

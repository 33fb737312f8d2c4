// The README leads a reader along the way of a detection: every file that it names exists.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const readme = readFileSync(`${root}README.md`, "utf8");
const linksIn = (text: string) => [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = ""]) => path);

test("every link of the README leads to a file", () => {
  expect(linksIn(readme).filter((path) => !existsSync(`${root}${path}`))).toEqual([]);
});

test("up to its acknowledgement a detection takes a reader through at most 15 files", () => {
  const [, way = ""] = /\n1\. ([\s\S]*?)\n5\. /.exec(readme) ?? [];

  expect(new Set(linksIn(way)).size).toBeGreaterThan(10);
  expect(new Set(linksIn(way)).size).toBeLessThanOrEqual(15);
});

// Every file and test that a document names exists.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT, readText } from "../../structure/repository.ts";
import { linkedFiles } from "../../structure/ways.ts";

const files = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
const known = new Set(files.flatMap((file) => [file, ...foldersOf(file), ...shortFor(file)]));
const documents = files.filter((file) => file.endsWith(".md"));

/** A path from the top of the repository; tests are also named without `test/`. */
const PATH = /(?<![\w/.-])((?:schemas|projections|services|test|docs)\/[\w./-]*[\w-])/g;
const TEST = /(?<![\w/.-])((?:unit|contract|integration|e2e|faults)\/[\w./-]*[\w-])/g;
/** Placeholders of examples: words in capitals. */
const EXAMPLE = /\b(?!README|CONTRIBUTING|CHANGELOG)[A-Z]{4,}|\.vN\b/;

test("every path in a document exists", () => {
  const missing = documents.flatMap((document) => {
    const text = readText(document);
    const paths = [...text.matchAll(PATH)].map(([, path = ""]) => path);
    const tests = [...text.matchAll(TEST)].map(([, path = ""]) => `test/${path}`);
    const named = [...paths, ...tests].map((path) => path.replace(/_+$/, ""));
    return named.filter((path) => !known.has(path) && !EXAMPLE.test(path)).map((path) => `${document}: ${path}`);
  });

  expect(documents.length).toBeGreaterThan(40);
  expect(missing).toEqual([]);
});

test("every link in a document leads to a file", () => {
  const broken = documents.flatMap((document) =>
    linkedFiles(readText(document), document)
      .filter((path) => !existsSync(`${ROOT}${path}`))
      .map((path) => `${document}: ${path}`),
  );

  expect(broken).toEqual([]);
});

function foldersOf(file: string): string[] {
  const parts = file.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

/** Decisions are also named by their numbers. */
function shortFor(file: string): string[] {
  const decision = /^docs\/decisions\/\d+/.exec(file);
  return [file.replace(/((\.test)?\.ts|\.md)$/, ""), ...(decision ?? [])];
}

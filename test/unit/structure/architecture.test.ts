// docs/architecture.md names the files of six paths through the code; they follow from the imports.
import { describe, expect, test } from "vitest";
import { readText } from "../../structure/repository.ts";
import { readSources } from "../../structure/sources.ts";
import { linkedFiles, notReached, passagesOf } from "../../structure/ways.ts";

const page = "docs/architecture.md";
const text = readText(page);
const imports = readSources().flatMap((source) => source.imports);
const ways = [...text.matchAll(/\n### \((\w)\) ([^\n]*)\n([\s\S]*?)(?=\n##|$)/g)].map(
  ([, letter = "", title = "", body = ""]) => ({ letter, title, body, files: linkedFiles(body, page) }),
);
/** A reader follows a detection in one sitting; the other ways lead through more processes. */
const longest: Readonly<Record<string, number>> = { a: 15, b: 15 };

test("the page has the six paths, and a line for each file of one", () => {
  expect(ways.map(({ letter }) => letter).join("")).toBe("abcdef");
  for (const { body, files } of ways) expect(body.match(/^\d+\. \[/gm)?.length).toBe(files.length);
});

describe.each(ways)("the way ($letter) $title", ({ letter, files }) => {
  test("passes through few enough files to be read", () => {
    expect(files.length).toBeGreaterThan(8);
    expect(files.length).toBeLessThanOrEqual(longest[letter] ?? 20);
  });

  test("goes from file to file by imports within each process", () => {
    expect(passagesOf(files).flatMap((passage) => notReached(passage, imports))).toEqual([]);
  });
});

test("a file beside the way is noticed", () => {
  const passage = { process: "api", files: ["services/api/http/post.ts", "services/api/feed/cursor.ts"] };
  expect(notReached(passage, imports)).toEqual(["services/api/feed/cursor.ts"]);
});

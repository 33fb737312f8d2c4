// Lists in the documents that are made from folders: none leaves out a file or a folder, none names one that is gone.
import { globSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { ROOT, readText } from "../../structure/repository.ts";

const foldersIn = (folder: string) =>
  readdirSync(`${ROOT}${folder}`, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [each.name] : []));

test("the list of decisions has every page once", () => {
  const pages = globSync("docs/decisions/0*.md", { cwd: ROOT });
  const listed = [...readText("docs/decisions/README.md").matchAll(/^- \[\d{4}\]\(([^)]+)\) .+\.$/gm)].map(
    ([, name]) => name,
  );

  expect(listed.toSorted()).toEqual(pages.map((path) => posix.basename(path)).toSorted());
});

/** A line of the layout begins with its folder; folders in the text of the line lie below it. */
function layout(): Map<string, string[]> {
  const [, tree = ""] = /\n## Layout\n([\s\S]*?)\n`schemas <-/.exec(readText("CONTRIBUTING.md")) ?? [];
  const found = new Map<string, string[]>();
  let building = "";
  let line: string[] = [];
  for (const [, indent = "", head, text = ""] of tree.matchAll(/^ {4}( *)(?:([\w-]+)\/ {2,})?(\S.*)$/gm)) {
    if (head !== undefined) {
      line = [];
      if (indent === "") building = head;
      else found.get(building)?.push(head);
      found.set(indent === "" ? head : `${building}/${head}`, line);
    }
    line.push(...[...text.matchAll(/([\w-]+)\/(?= |$|,)/g)].map(([, name = ""]) => name));
  }
  return found;
}

test("the layout in CONTRIBUTING.md is that of the folders", () => {
  const listed = layout();

  expect([...listed.keys()].filter((path) => !path.includes("/"))).toEqual([
    "schemas",
    "projections",
    "services",
    "test",
  ]);
  for (const [path, names] of listed) {
    // The folders of a projection are an inner matter of its room.
    if (path.startsWith("projections/")) continue;
    expect([path, names.toSorted()]).toEqual([path, foldersIn(path).toSorted()]);
  }
});

test("the contents of the guarantees name every heading once", () => {
  const text = readText("docs/guarantees.md");
  const [, contents = ""] = /\n## Contents\n([\s\S]*?)\n## /.exec(text) ?? [];
  const listed = [...contents.matchAll(/\[([^\]]+)\]\(#([\w-]+)\)/g)];
  const headings = [...text.matchAll(/^##+ (.+)$/gm)].map(([, name = ""]) => name);

  const inner = headings.filter((name) => name !== "Contents" && name !== "Guarantees");
  expect(listed.map(([, name]) => name).toSorted()).toEqual(inner.toSorted());
  for (const [, name = "", anchor] of listed) expect(anchor).toBe(name.toLowerCase().replaceAll(" ", "-"));
});

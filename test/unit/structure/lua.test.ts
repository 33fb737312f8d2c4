// Redis refuses a global only when a call reaches it, so the scripts are checked without calls too.
import { globSync } from "node:fs";
import { dirname, posix } from "node:path";
import { expect, test } from "vitest";
import { NO_SUBJECT } from "../../structure/language.ts";
import { commentsOf, luaFiles, luaLines, namedIn, namesOf, readScripts } from "../../structure/lua.ts";
import { ROOT, readText } from "../../structure/repository.ts";

const scripts = readScripts();

/** Globals of Redis that the scripts may read. */
const KNOWN = new Set(
  "KEYS ARGV redis cjson string table math tonumber tostring type ipairs pairs unpack pcall".split(" "),
);

test("a script is Lua 5.1 and uses no global but those of Redis", () => {
  expect(scripts.length).toBeGreaterThan(0);
  const unknown = scripts.flatMap(({ path, text }) =>
    namesOf(text).globals.flatMap((name) => (KNOWN.has(name) ? [] : [`${path}: ${name}`])),
  );

  expect(unknown).toEqual([]);
});

test("a script uses every key and every argument that it declares", () => {
  const unused = scripts.flatMap((script) => {
    const { locals } = namesOf(script.text);
    return namedIn(script).flatMap((name) =>
      locals.filter((each) => each === name).length < 2 ? [`${script.path}: ${name}`] : [],
    );
  });

  expect(unused).toEqual([]);
});

test("a file of its own folder, or of the one above, names a script", () => {
  const isNamed = (path: string) =>
    [dirname(path), posix.join(dirname(path), "..")].some((folder) =>
      globSync(`${folder}/*.ts`, { cwd: ROOT }).some((file) => readText(file).includes(`${posix.basename(path)}"`)),
    );

  expect(scripts.flatMap(({ path }) => (isNamed(path) ? [] : [path]))).toEqual([]);
});

test("a script or a part begins with a comment, comments have a subject, and lines fit into 120 columns", () => {
  const found = luaFiles.flatMap((path) => [
    ...(commentsOf(path)[0]?.line === 1 ? [] : [`${path}: no comment`]),
    ...commentsOf(path).flatMap(({ line, text }) => (NO_SUBJECT.test(text) ? [`${path}:${line}`] : [])),
    ...luaLines(path).flatMap((line, i) => (line.length > 120 ? [`${path}:${i + 1} is too long`] : [])),
  ]);

  expect(found).toEqual([]);
});

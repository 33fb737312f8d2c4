// The last line of .ci/run, from what vitest prints of files that pass, fail, and cannot be loaded.
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ROOT } from "../../structure/repository.ts";

const passing = 'test("passes", () => {});';
const failing = 'test("fails", () => { throw new Error("x"); });';
const unloadable = `import "./absent.mjs"; ${passing}`;
const hookless = `beforeAll(() => { throw new Error("x"); }); ${passing}`;
const late = `test("leaves an error behind", async () => {
  setTimeout(() => { throw new Error("late"); });
  await new Promise((resolve) => setTimeout(resolve, 10));
});`;

/** The summary is the same, and no file needs a process of its own. */
const IN_ONE_THREAD = ["--pool", "threads", "--maxWorkers", "1", "--no-isolate"];

const count = (printed: string, status: number): string =>
  spawnSync(join(ROOT, ".ci/count"), [String(status)], { input: printed, encoding: "utf8" }).stdout;

test.each([
  ["tests that pass and fail", [passing, `${passing}\n${failing}`], "2 passed, 1 failed\n"],
  ["a file that cannot be loaded", [passing, unloadable], "1 passed, 1 failed\n"],
  ["only files that cannot be loaded", [unloadable, unloadable], "0 passed, 2 failed\n"],
  ["a file whose hook fails, and a test that fails", [hookless, failing, passing], "1 passed, 2 failed\n"],
  ["an error that no test has", [late], "1 passed, 1 failed\n"],
  ["a run without a failure", [passing], "1 passed, 0 failed\n"],
])("the last line counts %s", async (_what, files, expected) => {
  const dir = await mkdtemp(join(tmpdir(), "tracklog-count-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await Promise.all(files.map((text, i) => writeFile(join(dir, `${i}.test.mjs`), text)));

  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--root", dir, "--globals", ...IN_ONE_THREAD];
  const run = spawnSync(process.execPath, args, { encoding: "utf8", cwd: dir });

  expect(count(run.stdout + run.stderr, run.status ?? 1)).toBe(expected);
});

test("a run that ends before it prints a summary is a failure", () => {
  expect(count("npm error\n", 1)).toBe("0 passed, 1 failed\n");
});

// The README leads a reader along the way of a detection, and the way follows the imports.
import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT, readText } from "../../structure/repository.ts";
import { readSources } from "../../structure/sources.ts";
import { linkedFiles, notReached, passagesOf } from "../../structure/ways.ts";

const readme = readText("README.md");
const linksIn = (text: string) => linkedFiles(text, "README.md");
const stepsOf = (from: number, to: number) =>
  new RegExp(`\\n${from}\\. ([\\s\\S]*?)\\n${to}\\. `).exec(readme)?.[1] ?? "";

test("every service has a script that starts it, and the README names it", () => {
  const { scripts } = JSON.parse(readText("package.json"));
  // The launcher is npm start itself.
  const services = globSync("services/*/main.ts", { cwd: ROOT }).filter((path) => !path.includes("embedded"));

  for (const path of services) {
    const name = `start:${path.split("/")[1]}`;
    expect([name, scripts[name]]).toEqual([name, `node ${path}`]);
    expect(readme).toContain(`    npm run ${name}\n`);
  }
  expect(services.length).toBeGreaterThan(5);
});

test("up to its acknowledgement a detection takes a reader through at most 15 files", () => {
  const files = linksIn(stepsOf(1, 5));

  expect(files.length).toBeGreaterThan(10);
  expect(files.length).toBeLessThanOrEqual(15);
});

test("the way of a detection goes from file to file by imports within each process", () => {
  const imports = readSources().flatMap((source) => source.imports);
  const passages = passagesOf(linksIn(stepsOf(1, 11)));

  expect(passages.map(({ process }) => process)).toEqual(["api", "state-machine", "projector"]);
  expect(passages.flatMap((passage) => notReached(passage, imports))).toEqual([]);
});

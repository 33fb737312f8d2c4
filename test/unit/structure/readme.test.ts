// The README leads a reader along the way of a detection: every file that it names exists.
import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const readme = readFileSync(`${root}README.md`, "utf8");
const linksIn = (text: string) => [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = ""]) => path);

test("every link of the README leads to a file", () => {
  expect(linksIn(readme).filter((path) => !existsSync(`${root}${path}`))).toEqual([]);
});

test("every service has a script that starts it, and the README names it", () => {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  // The launcher is npm start itself.
  const services = globSync("services/*/main.ts", { cwd: root }).filter((path) => !path.includes("embedded"));

  for (const path of services) {
    const name = `start:${path.split("/")[1]}`;
    expect([name, scripts[name]]).toEqual([name, `node ${path}`]);
    expect(readme).toContain(`    npm run ${name}\n`);
  }
  expect(services.length).toBeGreaterThan(5);
});

test("up to its acknowledgement a detection takes a reader through at most 15 files", () => {
  const [, way = ""] = /\n1\. ([\s\S]*?)\n5\. /.exec(readme) ?? [];

  expect(new Set(linksIn(way)).size).toBeGreaterThan(10);
  expect(new Set(linksIn(way)).size).toBeLessThanOrEqual(15);
});

// docs/metrics.md names every metric, with its type and meaning.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { definedMetrics } from "../../../services/common/metrics/define.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

test("the page of the metrics has all of them, as they are defined", async () => {
  const files = globSync("services/**/*.ts", { cwd: root }).filter((path) => {
    return /from "[./a-z-]*\/define\.ts"/.test(readFileSync(`${root}${path}`, "utf8"));
  });
  for (const path of files) await import(`${root}${path}`);

  const page = readFileSync(`${root}docs/metrics.md`, "utf8");
  const listed = [...page.matchAll(/^\| `(\w+)` \| (\w+) \| (.+) \|$/gm)].map(([, name, type, help]) => {
    return { name, type, help };
  });
  const defined = definedMetrics().toSorted((a, b) => (a.name < b.name ? -1 : 1));

  expect(defined.length).toBeGreaterThan(20);
  // Other tests of this process may define metrics of their own.
  expect(listed).toEqual(defined.filter(({ name }) => !name.startsWith("tracklog_seen_")));
});

// docs/metrics.md names every metric, with its type and meaning.
import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { definedMetrics } from "../../../services/common/metrics/define.ts";
import { ROOT, readText } from "../../structure/repository.ts";

test("the page of the metrics has all of them, as they are defined", async () => {
  const files = globSync("services/**/*.ts", { cwd: ROOT }).filter((path) => {
    return /from "[./a-z-]*\/define\.ts"/.test(readText(path));
  });
  for (const path of files) await import(`${ROOT}${path}`);

  const page = readText("docs/metrics.md");
  const listed = [...page.matchAll(/^\| `(\w+)` \| (\w+) \| (.+) \|$/gm)].map(([, name, type, help]) => {
    return { name, type, help };
  });
  const defined = definedMetrics().toSorted((a, b) => (a.name < b.name ? -1 : 1));

  expect(defined.length).toBeGreaterThan(20);
  // Other tests of this process may define metrics of their own.
  expect(listed).toEqual(defined.filter(({ name }) => !name.startsWith("tracklog_seen_")));
});

// The pages of the processes are alike, so that an operator finds the same thing at the same place in each.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const SERVICES = ["api", "projector", "replay", "state-api", "state-machine", "webhooks"];

test("every process on the log has a page", () => {
  const withTheirOwnMain = globSync("services/*/main.ts", { cwd: root }).map((path) => path.split("/")[1] ?? "");

  expect(withTheirOwnMain.filter((name) => name !== "embedded").toSorted()).toEqual(SERVICES);
});

test.each(SERVICES)(
  "the page of %s says what it consumes, produces and owns, its settings, and what a store away means",
  (name) => {
    const page = readFileSync(`${root}services/${name}/README.md`, "utf8");

    expect(page.split("\n")[0]).toBe(`# ${name}`);
    for (const row of ["consumes", "produces", "owns"])
      expect(page).toMatch(new RegExp(`^\\| ${row} \\| .+ \\|$`, "m"));
    for (const section of ["## Settings", "## When a store is away"]) expect(page).toContain(`\n${section}\n`);
  },
);

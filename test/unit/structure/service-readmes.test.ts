// The pages of the processes are alike, so that an operator finds the same thing at the same place in each.
import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { topics } from "../../../schemas/topics.ts";
import { ROOT, readText } from "../../structure/repository.ts";

const SERVICES = ["api", "projector", "replay", "state-api", "state-machine", "webhooks"];

const pageOf = (name: string): string => readText(`services/${name}/README.md`);

test("every process on the log has a page", () => {
  const withTheirOwnMain = globSync("services/*/main.ts", { cwd: ROOT }).map((path) => path.split("/")[1] ?? "");

  expect(withTheirOwnMain.filter((name) => name !== "embedded").toSorted()).toEqual(SERVICES);
});

test.each(SERVICES)(
  "the page of %s says what it consumes, produces and owns, its settings, and what a store away means",
  (name) => {
    const page = pageOf(name);

    expect(page.split("\n")[0]).toBe(`# ${name}`);
    for (const row of ["consumes", "produces", "owns"])
      expect(page).toMatch(new RegExp(`^\\| ${row} \\| .+ \\|$`, "m"));
    for (const section of ["## Settings", "## When a store is away"]) expect(page).toContain(`\n${section}\n`);
  },
);

test.each(SERVICES)("the page of %s names the topics that it reads and writes, and no others", (name) => {
  const page = pageOf(name);

  expect(topicsIn(page, "consumes")).toEqual(topicsOfService(name, "readers"));
  expect(topicsIn(page, "produces")).toEqual(topicsOfService(name, "writers"));
});

/** In these two rows of the table on a page, a quoted word is the name of a topic. */
function topicsIn(page: string, row: "consumes" | "produces"): string[] {
  const [, cell = ""] = new RegExp(`^\\| ${row} \\| (.+) \\|$`, "m").exec(page) ?? [];
  return [...cell.matchAll(/`([a-z-]+)`/g)].map(([, topic = ""]) => topic).toSorted();
}

function topicsOfService(name: string, side: "readers" | "writers"): string[] {
  const specs = Object.entries(topics).filter(([, topic]) => (topic[side] as readonly string[]).includes(name));
  return specs.map(([topic]) => topic).toSorted();
}

// Our schema against the public one: docs/compatibility.md lists every difference, and nothing else.
import { readFileSync } from "node:fs";
import { buildSchema, validateSchema } from "graphql";
import { expect, test } from "vitest";
import { typeDefs } from "../../services/api/graphql/sdl.ts";
import { deprecationsOf, factsOf } from "./facts.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

const reference = buildSchema(read("./reference.graphql"));
const ours = buildSchema(typeDefs);
const theirFacts = factsOf(reference);
const ourFacts = factsOf(ours);
const document = read("../../docs/compatibility.md");

test("the schema is valid", () => {
  expect(validateSchema(ours)).toEqual([]);
});

test("nothing is absent but what the document lists", () => {
  expect(beyond(theirFacts, ourFacts).sort()).toEqual(listedUnder("Absent"));
});

test("nothing is added but what the document lists", () => {
  expect(beyond(ourFacts, theirFacts).sort()).toEqual(listedUnder("Added"));
});

test("nothing is changed but what the document lists", () => {
  const changed = [...ourFacts].filter(([coordinate, fact]) => (theirFacts.get(coordinate) ?? fact) !== fact);

  expect(changed.map(([coordinate]) => coordinate).sort()).toEqual(listedUnder("Changed"));
});

test("what is deprecated names what to use instead", () => {
  const replacements = deprecationsOf(reference);
  for (const [coordinate, reason] of deprecationsOf(ours)) {
    const replacement = replacements.get(coordinate) ?? "";
    expect(reason, coordinate).toMatch(replacement === "" ? /`.+`/ : `\`${replacement}\``);
  }
});

/**
 * Returns the coordinates of `one` that `other` lacks. It leaves out members of lacking types and arguments of
 * lacking fields.
 */
function beyond(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  const owners = (of: string) => [...of.matchAll(/[.(]/g)].map(({ index }) => of.slice(0, index));
  return [...one.keys()].filter(
    (coordinate) => !other.has(coordinate) && owners(coordinate).every((up) => other.has(up)),
  );
}

/** The first column of the table under a heading. A row without a reason does not count. */
function listedUnder(heading: string): string[] {
  const [table = ""] = document.split(`\n## ${heading}\n`)[1]?.split("\n## ") ?? [];
  return [...table.matchAll(/^\| (`.*`) \| \S.* \|$/gm)]
    .flatMap(([, coordinates = ""]) => [...coordinates.matchAll(/`([^`]+)`/g)].map(([, coordinate = ""]) => coordinate))
    .sort();
}

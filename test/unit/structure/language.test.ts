// The language of names and comments, as far as a machine can check it (CONTRIBUTING.md). `npm run structure --
// --findings` lists the same.
import { expect, test } from "vitest";
import { commentFaults, literalSpreads, namesDefinedTwice } from "../../structure/language.ts";
import { readSources } from "../../structure/sources.ts";

const production = readSources();
const tests = readSources(["test"]);

test("an exported name exists once in the house", () => {
  expect(production.length).toBeGreaterThan(500);
  // The console is a program of its own, in the browser. It has the words of the processes, and shares no code with
  // them.
  const [console, processes] = [true, false].map((isConsole) =>
    production.filter(({ path }) => path.startsWith("services/console/") === isConsole),
  );
  expect([...namesDefinedTwice(processes ?? [])]).toEqual([]);
  expect([...namesDefinedTwice(console ?? [])]).toEqual([]);
});

test.each(Object.entries(commentFaults))("neither production code nor tests have %s", (_, faultsIn) => {
  expect(tests.length).toBeGreaterThan(500);
  expect(faultsIn([...production, ...tests])).toEqual([]);
});

test("no object literal of production code is spread only to keep a line short", () => {
  expect(literalSpreads(production)).toEqual([]);
});

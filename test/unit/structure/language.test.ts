// The language of names and comments, as far as a machine can judge it (CONTRIBUTING.md). `npm run structure -- --findings`
// lists the same.
import { expect, test } from "vitest";
import {
  commentsWithoutSubject,
  equations,
  type Finding,
  literalSpreads,
  longCommentLines,
  namesDefinedTwice,
} from "../../structure/language.ts";
import { readSources } from "../../structure/sources.ts";

const sources = readSources();

test("an exported name exists once in the house", () => {
  expect(sources.length).toBeGreaterThan(500);
  expect([...namesDefinedTwice(sources)]).toEqual([]);
});

const findings: readonly (readonly [string, Finding[]])[] = [
  ["a comment has a subject", commentsWithoutSubject(sources)],
  ["a comment explains a value in a sentence, not by an equation", equations(sources)],
  ["a comment line fits into 120 columns", longCommentLines(sources)],
  ["no object literal is spread only to keep a line short", literalSpreads(sources)],
];

test.each(findings)("%s", (_, found) => {
  expect(found).toEqual([]);
});

// The counts of `npm run structure`.
import { expect, test } from "vitest";
import { commentsWithoutSubject, equations, literalSpreads, namesDefinedTwice } from "../../structure/language.ts";
import { circlesOf, circlesOfFiles, importsBetweenRooms, roomOf } from "../../structure/rooms.ts";
import { readSource, readSources } from "../../structure/sources.ts";

const edges = importsBetweenRooms(readSources());

test("live and webhooks are in no circle of rooms, not even by types", () => {
  const circles = circlesOf(edges.filter(({ from }) => from.startsWith("projections"))).flat();

  expect(circles).not.toContain("projections/live");
  expect(circles).not.toContain("projections/webhooks");
});

test("the live fold knows its listener by an interface of its own, and imports nothing from webhooks", () => {
  expect(edges.filter(({ from, to }) => from === "projections/live" && to === "projections/webhooks")).toEqual([]);
});

test("the rooms of a service form no circle, not even by types", () => {
  expect(circlesOf(edges.filter(({ from }) => from.startsWith("services/")))).toEqual([]);
});

test("no rooms of projections, and none of a service, import one another by value", () => {
  const byValue = edges.filter(({ from, values }) => values > 0 && !from.startsWith("schemas"));

  expect(byValue.length).toBeGreaterThan(50);
  expect(circlesOf(byValue)).toEqual([]);
});

test("a room is a folder of projections or of a service, with all below it", () => {
  expect(roomOf("projections/live/state.ts")).toBe("projections/live");
  expect(roomOf("projections/filters/sql/cells.ts")).toBe("projections/filters");
  expect(roomOf("services/api/feed/kinds/list.ts")).toBe("services/api/feed");
  expect(roomOf("services/api/main.ts")).toBe("services/api");
});

test("imports between rooms are counted within a building, those of types apart", () => {
  const text = `import type { A } from "../b/a.ts"; import { b, type C } from "../b/b.ts"; import { d } from "./d.ts";
    export { e } from "../../schemas/e.ts"; export * from "../b/f.ts";`;

  const edges = importsBetweenRooms([readSource("projections/a/x.ts", text)]);

  expect(edges).toEqual([{ from: "projections/a", to: "projections/b", types: 1, values: 2 }]);
});

test("files that import one another are a circle, and one that only types close is none by value", () => {
  const imports = [
    { from: "a", to: "b", isType: false },
    { from: "b", to: "c", isType: false },
    { from: "c", to: "a", isType: true },
    { from: "c", to: "d", isType: false },
  ];

  expect(circlesOf(imports)).toEqual([["a", "b", "c"]]);
  expect(circlesOfFiles(imports, false)).toEqual([]);
});

test("comments are found with the line they begin in, and lines that follow one another are one comment", () => {
  const text = `/** Those of b. */
export const a = 1;
// The reader waits.
// Of it there is one.
export const b = { ...{ a } }; // undefined = never
`;
  const source = readSource("projections/a/x.ts", text);

  expect(source.comments.map(({ line }) => line)).toEqual([1, 3, 5]);
  expect(commentsWithoutSubject([source]).map(({ place }) => place)).toEqual(["projections/a/x.ts:1"]);
  expect(equations([source]).map(({ place }) => place)).toEqual(["projections/a/x.ts:5"]);
  expect(literalSpreads([source]).map(({ place }) => place)).toEqual(["projections/a/x.ts:5"]);
});

test("a name that two files define is named with both, one that is only passed on is not", () => {
  const first = readSource("projections/a.ts", "export interface Place { x: number }");
  const second = readSource("projections/b.ts", "export const Place = 1;");
  const third = readSource("projections/c.ts", `export { Place } from "./a.ts";`);

  expect([...namesDefinedTwice([first, second, third])]).toEqual([["Place", ["projections/a.ts", "projections/b.ts"]]]);
});

test("a function's lines are those from its first to its last", () => {
  const source = readSource(
    "projections/a.ts",
    "export function f() {\n  const g = () => {\n    return 1;\n  };\n  return g;\n}\n",
  );

  expect(source.functions).toEqual([
    { name: "f", line: 1, lines: 6, isTable: false },
    { name: "g", line: 2, lines: 3, isTable: false },
  ]);
});

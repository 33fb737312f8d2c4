import { getOperationAST, parse } from "graphql";
import { expect, test } from "vitest";
import { countDetections } from "../../../../../services/api/graphql/count-detections.ts";

function countIn(source: string, variables: Readonly<Record<string, unknown>> = {}): number {
  const document = parse(source);
  const operation = getOperationAST(document);
  if (operation == null) throw new Error("no operation");
  const counts = [1, 2].map(() => countDetections(document, operation, variables));
  // The second count uses what the first one has found in the document.
  expect(counts[0]).toBe(counts[1]);
  return counts[0] ?? 0;
}

const three = [{}, {}, {}];

test.each([
  ["a list in a variable", "mutation ($d: [D!]!) { createDetections(detections: $d) { id } }", { d: three }, 3],
  ["a single value for a list", "mutation ($d: [D!]!) { createDetections(detections: $d) { id } }", { d: {} }, 1],
  ["a list in the document", "mutation { createDetections(detections: [{ a: 1 }, { a: 2 }]) { id } }", {}, 2],
  ["a list of variables", "mutation ($a: D!) { createDetections(detections: [$a, $a]) { id } }", { a: {} }, 2],
  ["a default", "mutation ($d: [D!]! = [{ a: 1 }, { a: 2 }]) { createDetections(detections: $d) { id } }", {}, 2],
  [
    "a default of a variable whose name every object has",
    "mutation ($toString: [D!]! = [{ a: 1 }, { a: 2 }]) { createDetections(detections: $toString) { id } }",
    {},
    2,
  ],
  [
    "such a default in a track",
    "mutation ($valueOf: [D!]! = [{ a: 1 }, { a: 2 }]) { createTrack(track: { detections: $valueOf }) { id } }",
    {},
    2,
  ],
  ["one detection", "mutation ($d: D!) { createDetection(detection: $d) { id } }", { d: {} }, 1],
  ["a track", "mutation ($t: T!) { createTrack(track: $t) { id } }", { t: { detections: three } }, 3],
  [
    "a track in the document",
    "mutation ($d: [D!]!) { createTrack(track: { detections: $d }) { id } }",
    { d: three },
    3,
  ],
  ["a track without any", "mutation ($t: T!) { createTrack(track: $t) { id } }", { t: {} }, 0],
  ["several fields, also in fragments", severalFields(), { d: three }, 7],
  ["another mutation", "mutation { deleteZone(id: 1) { id } }", {}, 0],
] as const)("%s", (_name, source, variables, count) => {
  expect(countIn(source, variables)).toBe(count);
});

function severalFields(): string {
  return `mutation ($d: [D!]!) { a: createDetections(detections: $d) { id } ... on Mutation { b: createDetections(detections: $d) { id } } ...F }
    fragment F on Mutation { createDetection(detection: { a: 1 }) { id } }`;
}

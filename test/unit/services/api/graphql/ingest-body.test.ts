import { expect, test } from "vitest";
import { isJsonObject } from "../../../../../schemas/json.ts";
import { readIngestBody } from "../../../../../services/api/graphql/ingest-body.ts";
import { ingestScalars, memberCoercion } from "../../../../../services/api/graphql/ingest-inputs.ts";
import { createSchema } from "../../../../../services/api/graphql/schema.ts";
import { FlatPolygon } from "../../../../../services/api/write/polygon.ts";
import { detectionInputs, ring, usual } from "../../../../support/scenes/detection-inputs.ts";
import { createRandom } from "../../../projections/live/random-log.ts";

const schema = createSchema({});
const coerceMember = memberCoercion(schema, "CreateDetectionInput");
const { parseValue } = ingestScalars(schema)["CreateDetectionInput"] ?? {};
const source = "mutation Ingest($in: [CreateDetectionInput!]!) {\n  createDetections(detections: $in) { id }\n}";

const read = (text: string) => readIngestBody(Buffer.from(text), coerceMember);

const box = { type: "Polygon", coordinates: [ring] };
const full = {
  ...{ ...usual, trackId: "5b1c7f0e-7f5a-4c6e-9b55-000000000007", timestamp: "2026-01-31T23:59:59.999Z" },
  polygon: { type: "Polygon", coordinates: [[[0.1, -2], [1e3, 2.5], [1_234.567_890_123_456_7, 0], [0.1, -2]], ring] },
  position: { coordinates: [4.5, 50.1, 3] },
  direction: 271.5,
  metadata: { score: 0.75, "ünï\\code": ['a "b"', null, {}] },
}; // biome-ignore format: one polygon

const usualBodies: readonly object[] = [
  { query: source, variables: { in: [{ ...usual, polygon: box }] } },
  { query: source, variables: { in: { ...usual, polygon: box } } },
  { operationName: "Ingest", variables: { in: [full, { ...full, polygon: null }, usual] }, query: source },
  { query: source, variables: { in: [{ metadata: null, direction: null, position: null, ...usual }] } },
  {
    query: source,
    operationName: null,
    variables: { in: [{ ...usual, timestamp: "2026-02-28T01:00:00.123456+01:00" }] },
  },
];

test.each(usualBodies.flatMap((body) => [0, 1, 4].map((indent) => JSON.stringify(body, null, indent))))(
  "%s is read as JSON.parse and the coercion read it",
  (text) => {
    expect(shownOf(read(text))).toEqual(expectedOf(text));
  },
);

const unusual: readonly object[] = [
  { query: source },
  { query: source, variables: { in: [] } },
  { query: source, variables: { in: [usual], other: 1 } },
  { query: source, variables: { in: [usual] }, extensions: {} },
  { query: source, variables: { in: [{ ...usual, polygon: { ...box, crs: {} } }] } },
  { query: source, variables: { in: [{ ...usual, polygon: { coordinates: [[[1, 2, 3]]] } }] } },
  { query: source, variables: { in: [{ ...usual, trackId: "ü" }] } },
  { query: "{ sites { edges { node { id } } } }", variables: { filter: { name: { eq: "x" } } } },
  { query: ["mutation"], variables: { in: [usual] } },
  { query: { toString: 1, valueOf: 1 }, variables: { in: [usual] } },
  { query: null, variables: { in: [usual] } },
  [],
];

test.each(unusual.map((body) => JSON.stringify(body)))("%s is left to JSON.parse", (text) => {
  expect(read(text)).toBeUndefined();
});

test("a query of nested lists is left to JSON.parse, however deep they are", () => {
  const nested = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

  expect(read(`{"query":${nested},"variables":{"in":[${JSON.stringify(usual)}]}}`)).toBeUndefined();
});

const repeated = [
  `{"query":"a","query":"b","variables":{"in":[{"trackId":"t","timestamp":"2026-01-01T00:00:00Z"}]}}`,
  `{"query":"a","variables":{"in":[{"trackId":"t","trackId":"u","timestamp":"2026-01-01T00:00:00Z"}]}}`,
  `{"query":"a","variables":{"in":[{"trackId":"t","timestamp":"2026-01-01T00:00:00Z","direction":1,"direction":2}]}}`,
];

test.each(repeated)("%s is left to JSON.parse, which takes the last of two members", (text) => {
  expect(read(text)).toBeUndefined();
});

test.each(detectionInputs.map((input) => JSON.stringify({ query: source, variables: { in: [input] } })))(
  "%s is read alike, or left to JSON.parse",
  (text) => {
    const found = read(text);

    if (found !== undefined) expect(shownOf(found)).toEqual(expectedOf(text));
  },
);

test("damaged bodies are read as JSON.parse and the coercion read them, or left to them", () => {
  const random = createRandom(23);
  let same = 0;
  for (let i = 0; i < 20_000; i++) {
    const text = JSON.stringify(usualBodies[i % usualBodies.length], null, i % 3);
    const at = Math.floor(random() * text.length);
    const sign = '[]{},:"\\0159tn -+.eE'.charAt(Math.floor(random() * 20));
    const damaged = text.slice(0, at) + sign + text.slice(at + Math.floor(random() * 2));
    const found = read(damaged);
    if (found === undefined) continue;
    same += 1;

    expect(shownOf(found), damaged).toEqual(expectedOf(damaged));
  }
  expect(same).toBeGreaterThan(2_000);
});

test("random numbers are read as JSON.parse reads them", () => {
  const random = createRandom(29);
  for (let i = 0; i < 20_000; i++) {
    const digits = Math.floor(random() * 20);
    const number = (random() - 0.5) * 10 ** Math.floor(random() * 24 - 8);
    const text =
      [String(number), number.toFixed(digits), number.toExponential(digits), `-${digits}`, "-0"][i % 5] ?? "";
    const polygon = { type: "Polygon", coordinates: [[["X", 1]]] };
    const body = JSON.stringify({ query: source, variables: { in: [{ ...usual, polygon }] } }).replace('"X"', text);

    expect(Object.is(read(body)?.inputs[0]?.polygon?.coordinates[0]?.[0]?.[0], JSON.parse(text)), text).toBe(true);
  }
});

function shownOf(found: ReturnType<typeof read>): unknown {
  if (found === undefined) return undefined;
  const inputs = found.inputs.map(({ polygon, ...rest }) => {
    if (!(polygon instanceof FlatPolygon)) return polygon === null ? { ...rest, polygon } : rest;
    return { ...rest, polygon: { type: polygon.type, coordinates: polygon.coordinates } };
  });
  return { ...found, inputs };
}

/** Throws when the text is no such body: it must not have been read then. */
function expectedOf(text: string): unknown {
  const { query, operationName, variables } = JSON.parse(text);
  if (!isJsonObject(variables)) throw new Error("no variables");
  const [[variable, given] = ["", undefined], ...others] = Object.entries(variables);
  if (others.length > 0) throw new Error("several variables");
  const isList = Array.isArray(given);
  const inputs = (isList ? given : [given]).map((each) => parseValue?.(each));
  return { source: String(query), operationName: operationName ?? undefined, variable, isList, inputs };
}

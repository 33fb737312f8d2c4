import { coerceInputValue, type GraphQLInputType, isInputObjectType, parseValue } from "graphql";
import { expect, test } from "vitest";
import { checkPolygons, ingestScalars } from "../../../../../services/api/graphql/ingest-inputs.ts";
import { createSchema } from "../../../../../services/api/graphql/schema.ts";

const schema = createSchema({});
const parsers = ingestScalars(schema);

const ring = [
  [0, 0],
  [2, 0],
  [2, 2],
  [0, 0],
];
const usual = { trackId: "t", timestamp: "2026-01-01T00:00:00Z" };

/** Usual and unusual, good and bad. */
const values: readonly unknown[] = [
  usual,
  { ...usual, polygon: { type: "Polygon", coordinates: [ring] } },
  { ...usual, polygon: { coordinates: [ring, ring] } },
  { ...usual, polygon: { coordinates: [[[1, 2, 3]]], crs: { properties: { name: "x" } } } },
  { ...usual, polygon: { coordinates: 5 } },
  { ...usual, polygon: { coordinates: [] } },
  { ...usual, polygon: { coordinates: [[["1", 2]]] } },
  { ...usual, polygon: { coordinates: [[[Number.NaN, 2]]] } },
  { ...usual, polygon: { coordinates: [[[Number.POSITIVE_INFINITY, 2]]] } },
  { ...usual, polygon: { coordinates: [[null]] } },
  { ...usual, polygon: { type: null, coordinates: [ring] } },
  { ...usual, polygon: { type: 3, coordinates: [ring] } },
  { ...usual, polygon: { coordinates: [ring], other: 1 } },
  { ...usual, polygon: null, position: null, direction: null, metadata: null },
  { ...usual, position: { coordinates: [4.5, 50.1] } },
  { ...usual, position: { type: "Point", coordinates: [4.5, 50.1, 3] } },
  { ...usual, direction: 400, metadata: { a: [1, { b: null }] } },
  { ...usual, direction: "north" },
  { ...usual, metadata: "text" },
  { ...usual, trackId: 17 },
  { ...usual, trackId: 1.5 },
  { ...usual, trackId: null },
  { ...usual, timestamp: "2026-01-01T00:00:00" },
  { ...usual, timestamp: 5 },
  { trackId: "t" },
  { timestamp: usual.timestamp },
  { ...usual, unknown: 1 },
  null,
  "text",
  [usual],
  [],
];

const polygons: readonly unknown[] = [
  { coordinates: [ring] },
  { type: "Polygon", coordinates: [ring], crs: null },
  { type: "Point", coordinates: [ring], crs: { properties: { name: "x" } } },
  { coordinates: [ring], crs: { type: 4 } },
  { coordinates: [ring], crs: 4 },
  { coordinates: [ring], type: null },
  { coordinates: [[["1", 2]]] },
  { coordinates: [1] },
  { coordinates: 5 },
  { coordinates: null },
  { coordinates: [ring], other: 1 },
  { type: "Polygon" },
  null,
  [],
];

const cases = ["CreateDetectionInput", "TrackDetectionInput"].flatMap((name) =>
  values.map((value) => ({ name, value, text: JSON.stringify(value) })),
);
const polygonCases = polygons.map((value) => ({
  name: "GeoJSONPolygonInput",
  value,
  text: JSON.stringify(value),
}));

test.each([...cases, ...polygonCases])("$name takes $text as GraphQL's own coercion does", ({ name, value }) => {
  const expected = coerced(value, inputOf(name));

  const parsed = attempt(() => parsers[name]?.parseValue(value));

  expect(parsed).toEqual(expected);
});

test("a literal in the document is read with the full input type, variables inside it included", () => {
  const literal = parseValue(
    '{ trackId: $id, timestamp: "2026-01-01T00:00:00Z", polygon: { coordinates: [[[0, 0]]] } }',
  );

  const parsed = parsers["CreateDetectionInput"]?.parseLiteral(literal, { id: "t" });

  expect(parsed).toEqual({
    trackId: "t",
    timestamp: Date.UTC(2026, 0, 1),
    polygon: { type: "Polygon", coordinates: [[[0, 0]]] },
  });
});

function inputOf(name: string): GraphQLInputType {
  const type = schema.getType(name);
  if (!isInputObjectType(type)) throw new Error(`no input ${name}`);
  return type;
}

const coerced = (value: unknown, type: GraphQLInputType) =>
  attempt(() =>
    coerceInputValue(value, type, (_path, _invalid, error) => {
      throw error;
    }),
  );

/** The slow path, which runs again with paths, names the error. */
function attempt(run: () => unknown): unknown {
  try {
    const value = run();
    return value === null ? "refused" : { value };
  } catch {
    return "refused";
  }
}

test("values that were looked through are taken as the others", async () => {
  const all = [...values, { detections: values }, { detections: [values] }, { detections: 5 }, 5];
  const before = coercedOf(values, "CreateDetectionInput");

  await checkPolygons([...all, all, [all], [[all]], [[[all]]], ...polygons]);

  expect(coercedOf(values, "CreateDetectionInput")).toEqual(before);
});

const coercedOf = (each: readonly unknown[], name: string) =>
  each.map((value) => {
    try {
      return parsers[name]?.parseValue(value);
    } catch (error) {
      return String(error);
    }
  });

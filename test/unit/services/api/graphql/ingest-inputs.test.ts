import { coerceInputValue, type GraphQLInputType, isInputObjectType, parseValue } from "graphql";
import { expect, test } from "vitest";
import { checkPolygons, ingestScalars } from "../../../../../services/api/graphql/ingest-inputs.ts";
import { createSchema } from "../../../../../services/api/graphql/schema.ts";
import { ring, detectionInputs as values } from "../../../../support/scenes/detection-inputs.ts";

const schema = createSchema({});
const parsers = ingestScalars(schema);

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

import { beforeAll, expect, test } from "vitest";
import { compileJsonField, compileJsonFieldString } from "../../../projections/filters/kinds/json.ts";
import { createParams } from "../../../projections/history/queries/params.ts";
import type { FilterJSONFieldInput, FilterStringInput } from "../../../schemas/filters.ts";
import { createDatabase, type Database } from "./database.ts";

const documents: readonly (string | null)[] = [
  null,
  '{"a":1,"b":{"c":["x",{"d":"Yes"}]},"n":null,"0":"zero"}',
  '{"a":"1","b":{"c":["y"]},"t":true}',
  '{"a":1.75,"t":"false","big":12345678901234567890}',
  '[10,"a",[true]]',
  "not json",
];

let database: Database;

beforeAll(async () => {
  database = await createDatabase();
  await database.client.command({ query: "CREATE TABLE documents (n UInt8, doc Nullable(String)) ENGINE = Memory" });
  await database.client.insert({
    table: "documents",
    values: documents.map((doc, n) => ({ n, doc })),
    format: "JSONEachRow",
  });
});

async function matching(compile: (params: ReturnType<typeof createParams>) => string): Promise<number[]> {
  const params = createParams();
  const result = await database.client.query({
    query: `SELECT n FROM documents WHERE ${compile(params)} ORDER BY n`,
    query_params: { ...params.values },
    format: "JSONEachRow",
  });
  return (await result.json<{ n: number }>()).map(({ n }) => n);
}

const field = (path: string[], filter: FilterJSONFieldInput["filter"]) =>
  matching((params) => compileJsonField(params, "doc", { path, filter }));
const asText = (path: string[], filter: FilterStringInput) =>
  matching((params) => compileJsonFieldString(params, "doc", { path, filter }));

test("numbers are cast from numbers and from their text", async () => {
  expect(await field(["a"], { integer: { eq: 1 } })).toEqual([1, 2, 3]);
  expect(await field(["a"], { float: { gt: 1.5 } })).toEqual([3]);
  expect(await field(["a"], { float: { between: [1, 1.75] } })).toEqual([1, 2, 3]);
  expect(await field(["a"], { integer: { in: [] } })).toEqual([]);
  expect(await field(["big"], { float: { attributeExists: true } })).toEqual([3]);
});

test("a missing path, null and what cannot be cast count as no value", async () => {
  expect(await field(["n"], { integer: { attributeExists: false } })).toEqual([0, 1, 2, 3, 4, 5]);
  expect(await field(["b"], { integer: { attributeExists: true } })).toEqual([]);
  expect(await field(["a"], { integer: { ne: 1 } })).toEqual([0, 4, 5]);
});

test("a path goes through arrays by index and through objects by key", async () => {
  expect(await field(["b", "c", "0"], { string: { eq: "x" } })).toEqual([1]);
  expect(await field(["b", "c", "1", "d"], { string: { like: "YE" } })).toEqual([1]);
  expect(await field(["0"], { string: { attributeExists: true } })).toEqual([1, 4]);
  expect(await field(["0"], { integer: { eq: 10 } })).toEqual([4]);
  expect(await field(["2", "0"], { boolean: { eq: true } })).toEqual([4]);
});

test("booleans are cast from true, false, 1 and 0", async () => {
  expect(await field(["t"], { boolean: { eq: true } })).toEqual([2]);
  expect(await field(["t"], { boolean: { ne: true } })).toEqual([0, 1, 3, 4, 5]);
  expect(await field(["a"], { boolean: { eq: true } })).toEqual([1, 2]);
});

test("every value can be treated as a string", async () => {
  expect(await asText(["a"], { in: ["1", "1.75"] })).toEqual([1, 2, 3]);
  expect(await asText(["t"], { eq: "true" })).toEqual([2]);
  expect(await asText(["b", "c"], { like: '"y"' })).toEqual([2]);
});

test("a long path is as cheap as its steps, and a longer one is refused", async () => {
  const deep = (steps: number) => Array.from({ length: steps }, (_, i) => (i % 2 === 0 ? "0" : "a"));

  expect(await asText(deep(30), { attributeExists: true })).toEqual([]);
  await expect(async () => asText(deep(31), {})).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
  await expect(async () => asText(["a".repeat(1_025)], {})).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
});

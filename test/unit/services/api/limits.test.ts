import { getIntrospectionQuery } from "graphql";
import { expect, test } from "vitest";
import { createTestApi } from "./support.ts";

const message = async (query: string, variables?: Record<string, unknown>, env?: Record<string, string>) => {
  const { ask } = await createTestApi(env === undefined ? {} : { env });
  const { body } = await ask(query, variables);
  expect(body.errors?.[0].extensions.code ?? "BAD_USER_INPUT").toBe("BAD_USER_INPUT");
  return body.errors?.[0].message as string | undefined;
};

test("introspection passes every limit", async () => {
  const { ask } = await createTestApi();

  const { body } = await ask(getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true }));

  expect(body.errors).toBeUndefined();
  expect(body.data.__schema.types.length).toBeGreaterThan(80);
});

test("a document that is too deep is refused", async () => {
  const deep = (levels: number): string => (levels === 0 ? "id" : `dataSource { zones { ${deep(levels - 1)} } }`);

  expect(await message(`{ zone(id: 1) { ${deep(8)} } }`)).toContain("depth");
});

test("depth is counted through fragments", async () => {
  const fragments = Array.from(
    { length: 10 },
    (_, i) => `fragment F${i} on Zone { dataSource { zones { ...F${i + 1} } } }`,
  );

  expect(await message(`{ zone(id: 1) { ...F0 } } ${fragments.join(" ")} fragment F10 on Zone { id }`)).toContain(
    "depth",
  );
});

test("too many aliases are refused", async () => {
  const aliases = Array.from({ length: 101 }, (_, i) => `a${i}: id`);

  expect(await message(`{ zone(id: 1) { ${aliases.join(" ")} } }`)).toContain("aliases");
});

test("too many root fields are refused, also from a fragment", async () => {
  const fields = "zone(id: 1) { id } ".repeat(26);

  expect(await message(`{ ...F ...F } fragment F on Query { ${fields} }`)).toContain("root fields");
});

test("fragments in fragments are refused without being spelled out", async () => {
  const fragments = Array.from({ length: 40 }, (_, i) => `fragment F${i} on Zone { ...F${i + 1} ...F${i + 1} }`);

  expect(await message(`{ zone(id: 1) { ...F0 } } ${fragments.join(" ")} fragment F40 on Zone { id }`)).toContain(
    "fields",
  );
});

test("fragments in a circle are refused", async () => {
  expect(await message("{ zone(id: 1) { ...A } } fragment A on Zone { ...B } fragment B on Zone { ...A }")).toContain(
    "Cannot spread",
  );
});

const NESTED = `query ($outer: Int!, $inner: Int!) {
  tracks(filter: {}, first: $outer) { edges { node { detections(first: $inner) { track { detections(first: $inner) { id } } } } } }
}`;

test("pages within pages are counted with the values of the variables", async () => {
  expect(await message(NESTED, { outer: 1_000, inner: 1_000 })).toContain("objects");
});

test("the count itself follows from the first arguments", async () => {
  // 10 tracks, each an edge and a node and 5 detections, each with a track and its 5 detections.
  const cost = 10 * (1 + 1 + 1 + 5 * (1 + (1 + 5)));

  expect(await message(NESTED, { outer: 10, inner: 5 }, { API_MAX_COST: String(cost - 1) })).toContain(
    `${cost} objects`,
  );
});

test("defaults of variables count as well", async () => {
  const query = "query ($n: Int! = 1000) { zones(first: $n) { edges { node { dataSource { zones { id } } } } } }";

  expect(await message(query, {}, { API_MAX_COST: "999" })).toContain("objects");
});

test("an ordinary page is within the limits", async () => {
  expect(
    await message("{ zones { totalCount edges { node { id dataSource { name zones { name } } } } } }"),
  ).toBeUndefined();
});

test.each([
  ["names", (count: number) => `{ ${"a ".repeat(count)} }`],
  ["values", (count: number) => `{ zones(filter: {id: {in: [${"1 ".repeat(count)}]}}) { totalCount } }`],
  ["signs", (count: number) => "{ a ".repeat(count)],
])("a document of too many %s is refused while it is parsed", async (_case, document) => {
  const { ask } = await createTestApi({ env: { API_MAX_DOCUMENT_TOKENS: "1000" } });
  const { body } = await ask(document(1_001));

  expect(body.errors).toHaveLength(1);
  expect(body.errors[0].extensions.code).toBe("BAD_USER_INPUT");
  expect(body.errors[0].message).toContain("1000 tokens");
});

test("a document that is too long is refused before it is parsed, its characters counted in bytes", async () => {
  const { ask } = await createTestApi({ env: { API_MAX_DOCUMENT_BYTES: "1024" } });
  const document = (text: string) => `{ zone(id: "${text}") { id } }`;

  expect((await ask(document("x".repeat(900)))).body.errors).toBeUndefined();
  for (const text of ["x".repeat(1_024), "ż".repeat(512)]) {
    const { body } = await ask(document(text));
    expect(body.errors[0].extensions).toEqual({ code: "BAD_USER_INPUT", path: ["query"] });
  }
});

const RANGE = 'startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-02T00:00:00Z"';
const many = (count: number, field: string) => Array.from({ length: count }, (_, i) => `a${i}: ${field}`).join(" ");

test.each([
  ["summaries", (count: number) => `{ ${many(count, `deviceSummary(${RANGE}) { total }`)} }`],
  [
    "more questions of a summary",
    (count: number) => `{ activityChronicleSummary(${RANGE}) { ${many(count, "metadataKeys")} } }`,
  ],
])("an operation asks for few %s", async (_case, query) => {
  expect(await message(query(12))).toContain("objects");
});

test("summaries for a dashboard are within the limits", async () => {
  expect(
    await message(`{ ${many(8, `deviceSummary(${RANGE}, deviceBucket: {size: HOURS}) { buckets { total } }`)} }`),
  ).toBeUndefined();
});

test("a link costs as much as it takes to sign it", async () => {
  const links = "{ images(first: 10) { edges { node { url } } } }";
  const cost = 10 * (1 + 1 + 1 + 20);

  expect(await message(links, {}, { API_MAX_COST: String(cost - 1) })).toContain(`${cost} objects`);
});

test("a count costs as much as it may look at", async () => {
  const counts = (count: number) =>
    `{ ${Array.from({ length: count }, (_, i) => `a${i}: zones(first: 0) { totalCount }`).join(" ")} }`;

  expect(await message(counts(5), {}, { API_MAX_COST: "60000" })).toBeUndefined();
  expect(await message(counts(6), {}, { API_MAX_COST: "60000" })).toContain("objects");
});

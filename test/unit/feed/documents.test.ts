import { buildSchema, parse, print } from "graphql";
import { expect, test } from "vitest";
import { createDocuments, withoutRootArguments } from "../../../services/api/subscriptions/documents.ts";

const schema = buildSchema(
  "type Query { a: Int } type Subscription { ticks(from: Int): Tick } type Tick { n(by: Int): Int }",
);
const limits = { maxBytes: 1_000, maxTokens: 50, maxDepth: 5, maxAliases: 5, maxRootFields: 1, maxFields: 50 };
const compact = (text: string) => text.replace(/\s+/g, " ").trim();

test("arguments of the root field and what only they use are not executed", () => {
  const source = `
    query Other { a }
    subscription S($from: Int, $by: Int) { ...F }
    fragment F on Subscription { t: ticks(from: $from) { n(by: $by) } }`;

  expect(compact(print(withoutRootArguments(parse(source), "S")))).toBe(
    "subscription S($by: Int) { ...F } fragment F on Subscription { t: ticks { n(by: $by) } }",
  );
});

test("a document is validated once, by the rules of GraphQL and by the limits", () => {
  const read = createDocuments(schema, limits);
  const good = read("subscription { ticks { n } }");

  expect(good.ok).toBe(true);
  expect(read("subscription { ticks { n } }")).toBe(good);
  for (const bad of ["subscription {", "subscription { nothing }", "subscription { ticks { n } b: ticks { n } }"]) {
    expect(read(bad)).toMatchObject({ ok: false });
  }
});

test("a document of too many tokens or bytes is refused before it is validated", () => {
  const read = createDocuments(schema, limits);

  expect(read(`subscription { ${"ticks ".repeat(60)} }`)).toMatchObject({
    ok: false,
    errors: [{ message: expect.stringContaining("50 tokens") }],
  });
  expect(() => read(`subscription { ticks { n } } #${"x".repeat(1_000)}`)).toThrow("1000 bytes");
});

test("a document nested too deeply to be parsed or measured is refused", () => {
  const read = createDocuments(schema, { ...limits, maxBytes: 1_048_576, maxTokens: 50_000 });
  const chain = Array.from({ length: 5_500 }, (_, i) => `fragment F${i} on Query { ...F${i + 1} }`);

  for (const deep of [`subscription { ticks ${"{ a ".repeat(20_000)} }`, `{ ...F0 } ${chain.join(" ")}`]) {
    expect(() => read(deep)).toThrow("nested too deeply");
  }
});

test("of thousands of mistakes the first ones are told", () => {
  const read = createDocuments(schema, { ...limits, maxBytes: 1_048_576, maxTokens: 50_000 });
  const operations = Array.from({ length: 3_000 }, (_, i) => `query Q${i} { ${"a ".repeat(11)} }`);
  const variables = Array.from({ length: 3_000 }, (_, i) => `$v${i}: Int`);

  for (const bad of [operations.join(" "), `query (${variables.join(" ")}) { a }`]) {
    const found = read(bad);
    expect(found.ok ? 0 : found.errors.length).toBeLessThanOrEqual(21);
  }
});

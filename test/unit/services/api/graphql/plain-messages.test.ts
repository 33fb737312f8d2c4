// When a selection of a subscription is compiled, and when it is left to graphql-js.
import { buildSchema, parse } from "graphql";
import { expect, test } from "vitest";
import type { ApiContext } from "../../../../../services/api/graphql/context.ts";
import { createPlainSelections } from "../../../../../services/api/graphql/plain-messages.ts";

const context = {} as ApiContext;
const schema = buildSchema("type Query { thing: Thing } type Thing { id: ID name: String thing: Thing }");
const document = parse("query ($no: Boolean = false) { thing { id name @skip(if: $no) } }");
const root = { thing: { id: "1", name: "one" } };
const WRITTEN = '{"thing":{"id":"1","name":"one"}}';

const answers = (write: (root: unknown, context: ApiContext) => string | undefined, count: number, each: unknown) =>
  Array.from({ length: count }, () => write(each, context));

test("a selection is compiled with its eighth message, and equal ones use it at once", () => {
  const plainOf = createPlainSelections(schema);

  const first = answers(plainOf(document, { no: false }), 9, root);
  const equal = answers(plainOf(parse("query ($no: Boolean = false) {thing{id name @skip(if: $no)}}"), {}), 1, root);
  const other = answers(plainOf(document, { no: true }), 8, root);

  expect(first).toEqual([...Array(7).fill(undefined), WRITTEN, WRITTEN]);
  // No variable is not the same as the default of one.
  expect(equal).toEqual([undefined]);
  expect(other.at(-1)).toBe('{"thing":{"id":"1"}}');
  expect(
    answers(plainOf(parse("query ($no: Boolean = false) {thing{id name @skip(if: $no)}}"), { no: false }), 1, root),
  ).toEqual([WRITTEN]);
});

test("messages that wait are left to graphql-js, and after three of them all others", () => {
  const write = createPlainSelections(schema)(document, { no: false });
  const waiting = { thing: Promise.resolve(root.thing) };
  answers(write, 8, root);

  expect(answers(write, 2, waiting)).toEqual([undefined, undefined]);
  expect(answers(write, 1, root)).toEqual([WRITTEN]);
  expect(answers(write, 3, waiting)).toEqual([undefined, undefined, undefined]);
  expect(answers(write, 1, root)).toEqual([undefined]);
});

test("a message that fails is left to graphql-js, and the next is written", () => {
  const write = createPlainSelections(schema)(document, { no: false });
  answers(write, 8, root);

  expect(answers(write, 2, { thing: { id: new Error("no id") } })).toEqual([undefined, undefined]);
  expect(answers(write, 1, root)).toEqual([WRITTEN]);
});

test("what is compiled has a bound, whatever fragments make of a short text", () => {
  const plainOf = createPlainSelections(schema);
  const deep = (i: number) => `fragment F${i} on Thing { id a: thing { ...F${i + 1} } b: thing { ...F${i + 1} } }`;
  const fragments = (levels: number) =>
    `${Array.from({ length: levels }, (_, i) => deep(i)).join(" ")} fragment F${levels} on Thing { id }`;
  const asked = (levels: number, name: string) => parse(`{ ${name}: thing { ...F0 } } ${fragments(levels)}`);
  const empty = { thing: null };

  // 2 ^ 13 fields and more are never compiled.
  expect(answers(plainOf(asked(12, "large"), {}), 20, empty)).toEqual(Array(20).fill(undefined));
  // Some thousand fields each: many of them push the first one out, which is then compiled again.
  const first = plainOf(asked(9, "x"), {});
  expect(answers(first, 8, empty).at(-1)).toBe('{"x":null}');
  for (let i = 0; i < 20; i++) answers(plainOf(asked(9, `y${i}`), {}), 8, empty);
  expect(answers(first, 8, empty)).toEqual([...Array(7).fill(undefined), '{"x":null}']);
});

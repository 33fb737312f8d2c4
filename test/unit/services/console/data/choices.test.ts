import { buildSchema, parse, validate } from "graphql";
import { expect, test } from "vitest";
import { typeDefs } from "../../../../../services/api/graphql/sdl.ts";
import type { Asks } from "../../../../../services/console/data/asks.ts";
import { ChoiceNames } from "../../../../../services/console/data/choice-names.ts";
import { choicesDocument, choicesOf, findChoices } from "../../../../../services/console/data/choices.ts";
import { CHOICE_KINDS } from "../../../../../services/console/questions/choice-kinds.ts";

const schema = buildSchema(typeDefs);
const { signal } = new AbortController();

/** Answers any list with the cameras of these ids, and keeps the variables of each question. */
function camerasOf(ids: readonly string[], hasNextPage = false) {
  const asked: { readonly filter: object; readonly first: number }[] = [];
  const ask: Asks["ask"] = async <Data>(_document: string, variables: object = {}) => {
    asked.push(variables as (typeof asked)[number]);
    const edges = ids.map((id) => ({ node: { id, name: `Camera ${id}` } }));
    return { dataSources: { edges, pageInfo: { hasNextPage } } } as Data;
  };
  return { ask, asked };
}

test.each(CHOICE_KINDS)("%s are listed as the schema has them", (kind) => {
  expect(validate(schema, parse(choicesDocument(kind))).map(({ message }) => message)).toEqual([]);
});

test("a text is a part of the name or the id, and the answer says whether there are more", async () => {
  const { ask, asked } = camerasOf(["a"], true);

  expect(await findChoices(ask, "cameras", "ga", signal)).toEqual({
    choices: [{ value: "a", name: "Camera a" }],
    hasMore: true,
  });
  await findChoices(ask, "cameras", "", signal);

  expect(asked).toEqual([
    { filter: { or: [{ name: { like: "ga" } }, { id: { eq: "ga" } }] }, first: 50 },
    { filter: {}, first: 50 },
  ]);
});

test("more ids than a page has are asked for page by page", async () => {
  const { ask, asked } = camerasOf([]);
  await choicesOf(
    ask,
    "cameras",
    Array.from({ length: 1_001 }, (_, i) => String(i)),
    signal,
  );
  expect(asked.map(({ first }) => first)).toEqual([1_000, 1]);
});

test("names that are read together are one question, and each is asked for once", async () => {
  const { ask, asked } = camerasOf(["a"]);
  let names: ChoiceNames | undefined;
  await new Promise<void>((resolve) => {
    names = new ChoiceNames(ask, resolve);
    expect(["a", "gone", "a"].map((id) => names?.nameOf("cameras", id))).toEqual(["a", "gone", "a"]);
  });

  expect(["a", "gone"].map((id) => names?.nameOf("cameras", id))).toEqual(["Camera a", "gone"]);
  expect(asked).toEqual([{ filter: { id: { in: ["a", "gone"] } }, first: 2 }]);
});

// A selection without graphql-js gives what graphql-js gives, as text; or it says that graphql-js must execute it.
import { buildSchema, type ExecutionResult, execute, type GraphQLSchema, getVariableValues, parse } from "graphql";
import { expect, test } from "vitest";
import type { ApiContext } from "../../../../../services/api/graphql/context.ts";
import { compileSelection } from "../../../../../services/api/graphql/plain-selection.ts";

const SDL = /* GraphQL */ `
  scalar JSON
  enum Kind { CAR PERSON }
  interface Named { name: String }
  type Place implements Named { id: ID! name: String nearby(first: Int = 2): [Place!] }
  type Thing implements Named {
    id: ID!
    name: String
    kind: Kind!
    speed: Float
    count: Int
    isOpen: Boolean
    rings: [[[Float!]!]!]
    data: JSON
    place: Place
    any: Named
    late: String
    broken: String
    doubled(by: Float = 2, of: [Int!]): Float
  }
  type Query { thing: Thing things: [Thing]! }
`;

const schema: GraphQLSchema = buildSchema(SDL);

const resolvers: Readonly<Record<string, (...given: never[]) => unknown>> = {
  late: async () => "later",
  broken: () => {
    throw new Error("broken");
  },
  doubled: ({ speed }: { speed: number }, { by, of = [] }: { by: number; of?: readonly number[] }) =>
    speed * by + of.length,
};
for (const [name, resolve] of Object.entries(resolvers)) {
  const field = schema.getType("Thing")?.toConfig() && Object(schema.getType("Thing")).getFields()[name];
  field.resolve = resolve;
}

const place = { id: 7, name: "quay", nearby: [{ id: 8, name: null, nearby: [] }] };
const thing = {
  ...{ id: 'a"1\\\u2028', name: "naïve 🚗\n", kind: "CAR", speed: -0, count: 3, isOpen: false },
  ...{
    rings: [
      [
        [1, 2.5],
        [3e-7, 1e21],
      ],
      [],
    ],
    data: { a: [null, { "ä\t": 1 }], b: undefined },
    place,
    any: place,
  },
};
const root = { thing, things: [thing, null, { ...thing, place: null, name: null, rings: null, data: 0 }] };

const context = {} as ApiContext;

function both(source: string, variables: Record<string, unknown> = {}, rootValue: unknown = root) {
  const document = parse(source);
  const operation = document.definitions.find((each) => each.kind === "OperationDefinition");
  const { coerced = {} } = getVariableValues(schema, operation?.variableDefinitions ?? [], variables);
  const ours = () => compileSelection(schema, document, coerced).write(rootValue, context);
  const theirs = execute({ schema, document, rootValue, variableValues: variables, contextValue: context });
  return { ours, theirs };
}

test.each([
  ["{ thing { id name kind speed count isOpen } }"],
  ["{ thing { rings data } things { id rings data place { name } } }"],
  ["{ thing { __typename again: id id place { __typename nearby { id nearby { name } } } } }"],
  ["{ thing { ...A ...B place { name } } } fragment A on Thing { id ...B } fragment B on Thing { place { id } name }"],
  ["{ thing { ... on Named { name } ... on Place { name } ... { id } ...N } } fragment N on Named { __typename }"],
  ["query ($yes: Boolean!, $no: Boolean = false) { thing { id @skip(if: $yes) name @include(if: $no) kind } }"],
  ["{ thing { doubled plain: doubled } }"],
  ["query ($yes: Boolean!) { ...Q @include(if: $yes) } fragment Q on Query { things { id } }"],
])("%s", (source) => {
  const { ours, theirs } = both(source, { yes: true });

  expect((theirs as ExecutionResult).errors).toBeUndefined();
  expect(ours()).toBe(JSON.stringify((theirs as ExecutionResult).data));
});

test("a null is written where the schema has one", () => {
  expect(both("{ thing { id } }", {}, {}).ours()).toBe('{"thing":null}');
  expect(both("{ thing { id } }", {}, { thing: undefined }).ours()).toBe('{"thing":null}');
});

test("a promise is left to graphql-js", async () => {
  const { ours, theirs } = both("{ thing { late } }");
  expect(ours).toThrow("a promise");
  expect((await theirs).data).toEqual({ thing: { late: "later" } });

  const rejected = { thing: { id: Promise.reject(new Error("not this time")) } };
  expect(both("{ thing { id } }", {}, rejected).ours).toThrow("a promise");
});

test.each([
  ["a null in place of a value", "{ thing { id } }", { thing: { id: null } }],
  ["a value of another type", "{ thing { count } }", { thing: { count: "many" } }],
  ["an unknown value of an enum", "{ thing { kind } }", { thing: { kind: "HORSE" } }],
  ["a text in place of a list", "{ thing { rings } }", { thing: { rings: "rings" } }],
  ["an error among the values", "{ thing { name } }", { thing: { name: new Error("no name") } }],
  ["a resolver that throws", "{ thing { broken } }", root],
  ["a number that JSON does not have", "{ thing { speed } }", { thing: { speed: Number.NaN } }],
])("%s is an error, as graphql-js says it", (_name, source, rootValue) => {
  const { ours, theirs } = both(source, {}, rootValue);

  expect((theirs as ExecutionResult).errors).toHaveLength(1);
  expect(ours).toThrow();
});

test("arguments are left to graphql-js: what is compiled outlives its subscription, and they may be large", () => {
  expect(both("query ($by: Float) { thing { doubled(by: $by) } }", { by: 3 }).ours).toThrow("arguments");
  expect(both("{ thing { place { nearby(first: 1) { id } } } }").ours).toThrow("arguments");
});

test("types that only the value tells are left to graphql-js", () => {
  expect(both("{ thing { any { name } } }").ours).toThrow("known with the value only");
});

test("fragments that name each other many times do not explode", () => {
  const depth = 40;
  const fragments = Array.from({ length: depth }, (_, i) => `fragment F${i} on Thing { ...F${i + 1} ...F${i + 1} }`);
  const source = `{ thing { ...F0 } } ${fragments.join(" ")} fragment F${depth} on Thing { id }`;

  expect(both(source, {}, { thing: { id: "x" } }).ours()).toBe('{"thing":{"id":"x"}}');
});

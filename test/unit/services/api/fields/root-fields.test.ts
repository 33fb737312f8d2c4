// A root field without a resolver would answer null. The compiler does not compare the SDL with the resolvers.
import { buildSchema } from "graphql";
import { expect, test } from "vitest";
import { feedKindOf } from "../../../../../projections/feed/kinds.ts";
import { createMutations } from "../../../../../services/api/fields/mutations/index.ts";
import { queries } from "../../../../../services/api/fields/queries/index.ts";
import { typeDefs } from "../../../../../services/api/graphql/sdl.ts";

const schema = buildSchema(typeDefs);
const mutations = createMutations({ bounds: {}, now: Date.now } as never);

test("every query and mutation of the SDL has a resolver", () => {
  expect(Object.keys(queries).sort()).toEqual(Object.keys(schema.getQueryType()?.getFields() ?? {}).sort());
  expect(Object.keys(mutations).sort()).toEqual(Object.keys(schema.getMutationType()?.getFields() ?? {}).sort());
});

test("every subscription of the SDL is served", () => {
  const fields = Object.keys(schema.getSubscriptionType()?.getFields() ?? {});

  expect(fields.length).toBeGreaterThan(5);
  expect(fields.filter((field) => feedKindOf(field) === undefined)).toEqual([]);
});

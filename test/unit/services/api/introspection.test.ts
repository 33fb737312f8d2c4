import { buildClientSchema, getIntrospectionQuery } from "graphql";
import { expect, test } from "vitest";
import { createTestApi } from "./support.ts";

test("the introspection of tools is answered, and leaves others their turns", async () => {
  const { ask } = await createTestApi();
  let turns = 0;
  const count = () => {
    turns++;
    counting = setImmediate(count);
  };

  let counting = setImmediate(count);
  const { body } = await ask(getIntrospectionQuery());
  clearImmediate(counting);

  expect(buildClientSchema(body.data).getQueryType()?.name).toBe("Query");
  expect(turns).toBeGreaterThan(5);
});

test("introspection counts as objects: many aliases of it are refused as a whole, with one error", async () => {
  const { ask } = await createTestApi();
  const query = (count: number) =>
    `{ ${Array.from({ length: count }, (_, i) => `a${i}: __schema { types { fields { args { type { ofType { ofType { name } } } } } } }`).join(" ")} }`;

  expect((await ask(query(1))).body.errors).toBeUndefined();
  const { data, errors } = (await ask(query(30))).body;

  expect(data).toBeNull();
  expect(errors).toHaveLength(1);
  expect(errors[0].extensions.code).toBe("BAD_USER_INPUT");
  expect(errors[0].message).toContain("introspection");
});

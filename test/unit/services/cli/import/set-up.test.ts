import { expect, test } from "vitest";
import type { ImportClient } from "../../../../../services/cli/import/client.ts";
import { ensureDataSource } from "../../../../../services/cli/import/set-up.ts";

/** An API with these data sources of one name; another import creates `joins` between look-up and creation. */
function createApi({ sources = [], joins }: { sources?: string[]; joins?: string }) {
  const ids = [...sources];
  const request: ImportClient["request"] = async ({ query, variables }) => {
    if (query.includes("createDataSource")) {
      if (joins !== undefined) ids.push(joins);
      ids.push("m");
      return { data: { createDataSource: { id: "m" } }, position: "catalog:0:1" };
    }
    if (query.includes("deleteDataSource")) {
      ids.splice(ids.indexOf(String(variables?.["id"])), 1);
      return { data: {}, position: undefined };
    }
    const edges = ids.toSorted().map((id) => ({ node: { id } }));
    return { data: { dataSources: { edges } }, position: undefined };
  };
  const client: ImportClient = { request, retry: (attempt) => attempt(request) };
  return { client, ids };
}

test("a data source is created once, and found again", async () => {
  const { client, ids } = createApi({});

  expect([await ensureDataSource(client, "gate"), await ensureDataSource(client, "gate")]).toEqual(["m", "m"]);
  expect(ids).toEqual(["m"]);
});

test.each([
  ["a", ["a"]],
  ["z", ["z", "m"]],
])("of two imports that begin together both keep the same data source (%s beside m)", async (joins, left) => {
  const { client, ids } = createApi({ joins });

  expect(await ensureDataSource(client, "gate")).toBe([joins, "m"].sort()[0]);
  expect(ids).toEqual(left);
});

test("a name that several have is refused", async () => {
  await expect(ensureDataSource(createApi({ sources: ["a", "b"] }).client, "gate")).rejects.toThrow("Several");
});

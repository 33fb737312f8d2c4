import { expect, test } from "vitest";
import { createCatalog } from "../../../../../projections/catalog/catalog.ts";
import { historyQuery } from "../../../../../services/api/read/connection.ts";

const args = { filter: {}, first: 2, sort: [] };
const context = {
  history: { client: { query: () => Promise.reject(new Error("nothing is asked")) }, dataSourceIds: () => [] },
  catalog: createCatalog(),
  walk: async () => {},
  ...{ maxFirst: 10, filterLimits: { maxValues: 10, maxBranches: 10 } },
};

test("a list asks the history for its page and for its count when they are selected, and for the page once", async () => {
  const asked: string[] = [];
  const connection = await historyQuery(args, context, {
    reached: async () => {},
    async page() {
      asked.push("page");
      return { edges: [{ node: "a", cursor: "1" }], hasNextPage: true, hasPreviousPage: false };
    },
    async count() {
      asked.push("count");
      return 7;
    },
  });
  expect(asked).toEqual([]);

  expect(await connection.totalCount()).toBe(7);
  expect(asked).toEqual(["count"]);

  const [edges, again, pageInfo] = await Promise.all([connection.edges(), connection.edges(), connection.pageInfo()]);
  expect(asked).toEqual(["count", "page"]);
  expect(again).toBe(edges);
  expect(pageInfo).toEqual({ hasNextPage: true, hasPreviousPage: false, startCursor: "1", endCursor: "1" });
});

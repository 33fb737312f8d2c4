import { expect, test } from "vitest";
import { allNodes } from "../../../../../services/console/data/all-nodes.ts";
import type { Asks } from "../../../../../services/console/data/asks.ts";
import { askDetections } from "../../../../../services/console/data/past-questions.ts";

test("a list is read page by page to its end", async () => {
  const asked: object[] = [];
  const ask: Asks["ask"] = async <Data>(_document: string, variables: object = {}) => {
    asked.push(variables);
    const { after } = variables as { readonly after: string | null };
    const [node, next] = after === null ? ["first", "a"] : after === "a" ? ["second", "b"] : ["third", null];
    return { zones: { edges: [{ node }], pageInfo: { hasNextPage: next !== null, endCursor: next ?? "end" } } } as Data;
  };

  expect(await allNodes(ask, "query", { id: 1 })).toEqual(["first", "second", "third"]);
  expect(asked).toEqual([null, "a", "b"].map((after) => ({ id: 1, after })));
});

test("a range with more stays than a page has all of them", async () => {
  const stay = (id: string) => ({
    node: { id, startTime: "2026-01-01T00:00:00Z", endTime: null, zone: { id: "z" }, track: { id } },
  });
  const page = (id: string, endCursor: string | null) => ({
    edges: [stay(id)],
    pageInfo: { hasNextPage: endCursor !== null, endCursor },
  });
  const answers = [
    {
      detections: { edges: [], pageInfo: { hasNextPage: false, endCursor: null } },
      zoneIntersections: page("a", "1"),
    },
    { zoneIntersections: page("b", "2") },
    { zoneIntersections: page("c", null) },
  ];
  const ask: Asks["ask"] = async <Data>() => answers.shift() as Data;
  const { signal } = new AbortController();

  const { stays } = await askDetections({ ask }, { id: "west", range: { from: 0, to: 1 }, after: undefined, signal });

  expect(stays.map(({ id }) => id)).toEqual(["a", "b", "c"]);
});

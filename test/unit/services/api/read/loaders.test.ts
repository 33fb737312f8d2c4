import { expect, test } from "vitest";
import type { DetectionOrder } from "../../../../../schemas/filters.ts";
import { createLoaders } from "../../../../../services/api/read/loaders.ts";
import { garbageCollector } from "../../../../support/running/garbage-collector.ts";

const track = { trackId: "t", dataSourceId: "d" };
const sort: DetectionOrder[] = [{ field: "DETECTION_TIME", direction: "ASC" }];

function createAsking() {
  const asked: string[] = [];
  const client = {
    query: async ({ query }: { readonly query: string }) => {
      asked.push(query);
      return { json: async () => [] };
    },
  };
  const loaders = createLoaders(
    { client: client as never, dataSourceIds: () => [] },
    {
      historyReached: async () => {},
      intersectionsReached: async () => {},
    },
    async (items, _tests, visit) => [...items].forEach(visit),
  );
  return { asked, loaders };
}

test("the fields of one turn with the same filter are asked for together, those of a later turn again", async () => {
  const { asked, loaders } = createAsking();
  const load = (trackId: string) =>
    loaders.detections({ ...track, trackId }, { filter: { zoneId: { eq: "z" } }, sort });

  await Promise.all([load("a"), load("b")]);
  expect(asked).toHaveLength(1);
  await load("c");
  expect(asked).toHaveLength(2);
});

test("loaders that live for ever forget the filters that they were asked with", async () => {
  const collect = garbageCollector();
  const { loaders } = createAsking();
  const filters: WeakRef<object>[] = [];

  for (let i = 0; i < 20; i++) {
    const filter = { zoneId: { in: Array.from({ length: 100 }, (_, n) => `${i} ${n}`) } };
    filters.push(new WeakRef(filter));
    await loaders.detections(track, { filter, sort });
  }
  await collect({ execution: "async" });

  // The last one may still be on the stack.
  expect(filters.filter((each) => each.deref() !== undefined).length).toBeLessThanOrEqual(1);
});

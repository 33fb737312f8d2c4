import { expect, test } from "vitest";
import { type FilterBySource, pinnedSources } from "../../../../projections/feed/pinned-sources.ts";

const a: FilterBySource = { dataSourceId: { eq: "a" } };
const bc: FilterBySource = { dataSourceId: { in: ["b", "c"] } };

test.for<[FilterBySource | null, string[] | undefined]>([
  [null, undefined],
  [{}, undefined],
  [{ dataSourceId: { ne: "a" } }, undefined],
  [a, ["a"]],
  [bc, ["b", "c"]],
  [{ dataSourceId: { in: [] } }, []],
  [{ and: [bc, a, {}] }, ["a"]],
  [{ or: [bc, a] }, ["b", "c", "a"]],
  [{ or: [bc, {}] }, undefined],
  [{ or: [] }, []],
  [{ ...a, or: [bc, {}] }, ["a"]],
  [{ and: [{ or: [{ and: [a] }] }] }, ["a"]],
])("%j pins %j", ([filter, pinned]) => {
  const found = pinnedSources(filter);

  expect(found === undefined ? undefined : [...found]).toEqual(pinned);
});

import { expect, test } from "vitest";
import { createPager, type Order, type Slice } from "../../../../projections/catalog/page.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

/** More than a page keeps while it looks at them, and many of the same name. */
const items: readonly Named[] = Array.from({ length: 1_000 }, (_, i) => ({
  id: `d${(i * 379) % 1_000}`,
  name: `n${(i * 617) % 37}`,
}));
const byId = (a: Named, b: Named) => (a.id < b.id ? -1 : 1);
const byNameDown = (a: Named, b: Named) => (a.name === b.name ? byId(a, b) : a.name > b.name ? -1 : 1);

const order: Order<Named, "NAME"> = {
  sort: [{ field: "NAME", direction: "DESC" }],
  value: ({ name }) => name,
  id: ({ id }) => id,
};

function pageOf(slice: Slice) {
  const pager = createPager(order, slice);
  for (const item of items) pager.add(item);
  return pager.page();
}

test.each([3, 7, 31, 32, 100, 999, 1_000])("pages of %i of many items in a row are those of a full sort", (first) => {
  const seen: Named[] = [];
  let after: string | undefined;
  for (let more = true; more; ) {
    const { edges, hasNextPage, hasPreviousPage } = pageOf({ first, after });
    expect(hasPreviousPage).toBe(after !== undefined);
    expect(edges.length).toBe(Math.min(first, items.length - seen.length));
    seen.push(...edges.map(({ node }) => node));
    after = edges.at(-1)?.cursor;
    more = hasNextPage;
  }

  expect(seen).toEqual(items.toSorted(byNameDown));
});

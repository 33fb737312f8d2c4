import { expect, test } from "vitest";
import { createCatalog } from "../../../../projections/catalog/catalog.ts";
import type { AnyChanged } from "../../../../schemas/catalog/changed.ts";
import type { CatalogEvent } from "../../../../schemas/events.ts";
import { dataSourceCreated, dataSourceUpdated } from "../../../support/scenes/catalog.ts";

const changed = (event: CatalogEvent, over: Partial<AnyChanged>) => ({ ...event, event: { ...event.event, ...over } });

test.each([
  ["an empty id", dataSourceCreated(""), "id: empty"],
  ["a creation without a name", changed(dataSourceCreated("d"), { set: { name: null } }), "set.name: missing"],
  ["a cleared name", changed(dataSourceUpdated("d", {}), { cleared: ["name"] }), "cleared: name may not be missing"],
])("%s is refused", (_case, event, reason) => {
  expect(createCatalog().apply(event as CatalogEvent, 0)).toBe(reason);
});

test("an update says some fields, clears some, and leaves the others", () => {
  const catalog = createCatalog();
  catalog.apply(dataSourceCreated("d", { name: "Yard", labels: ["a"] }), 0);
  const update = changed(dataSourceUpdated("d", { name: "Gate" }, 5_000), { cleared: ["labels"] }) as CatalogEvent;

  expect(catalog.apply(update, 1)).toBeUndefined();
  expect(catalog.get("dataSource", "d")).toEqual({
    ...{ id: "d", name: "Gate", type: "VIDEO_DEVICE", labels: null },
    ...{ createdAt: 1_000, updatedAt: 5_000 },
  });
});

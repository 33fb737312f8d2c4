import { expect, test } from "vitest";
import { createSites } from "../../../../../projections/webhooks/signals/sites.ts";
import type { CatalogEvent } from "../../../../../schemas/events.ts";

/** A null means that the event does not set the field. */
const nothing = {
  ...{ name: null, enabled: null, dataSourceId: null, siteId: null, pointOfInterestId: null },
  ...{ transcoderId: null, externalId: null, address: null, position: null },
};
const device = { name: "Door", enabled: true, dataSourceId: "cam", siteId: "here" };

const deviceChanged = (change: "created" | "updated" | "deleted", set: Partial<typeof device>): CatalogEvent => ({
  type: "DeviceChanged",
  event: { id: "door", change, at: 0, set: { ...nothing, ...set }, cleared: [] },
});

test("only a device in another site, or with another data source, moves data sources", () => {
  const sites = createSites();
  const changes = [
    deviceChanged("created", device),
    deviceChanged("updated", { name: "Back door" }),
    deviceChanged("updated", { siteId: "there" }),
    deviceChanged("updated", { dataSourceId: "yard" }),
    deviceChanged("deleted", {}),
  ];

  expect(changes.map((each, offset) => sites.apply(each, offset))).toEqual([
    ["cam"],
    [],
    ["cam"],
    ["cam", "yard"],
    ["yard"],
  ]);
});

test("the site of a data source is that of its device", () => {
  const sites = createSites();
  sites.apply(deviceChanged("created", device), 0);

  expect([sites.siteOf("cam"), sites.siteOf("yard")]).toEqual(["here", null]);
});

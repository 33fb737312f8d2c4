import { expect, test } from "vitest";
import { createCatalogView } from "../../../projections/catalog/catalog-view.ts";
import { createZonesView } from "../../../projections/catalog/zones-view.ts";
import { zone } from "../../support/zone.ts";
import { dataSource } from "./support.ts";

const version = (dataSourceId: string, offset: number, updatedAt: number | null) => ({
  zoneId: "z1",
  dataSourceId,
  partition: 0,
  offset,
  zone: updatedAt === null ? null : zone({ dataSourceId, updatedAt }),
});

test("an own catalog write stands until the topic brings it or something newer", () => {
  const view = createCatalogView();
  view.applyOwn("d1", dataSource("d1", "new"), 5);

  view.apply({ key: "d1", offset: 3, entry: dataSource("d1", "old") });
  expect(view.dataSource("d1")?.name).toBe("new");

  view.apply({ key: "d1", offset: 6, entry: dataSource("d1", "newer") });
  expect(view.dataSource("d1")?.name).toBe("newer");
});

test("an own deletion is not undone by what the topic still has to bring", () => {
  const view = createCatalogView();
  view.applyOwn("d1", null, 5);
  view.apply({ key: "d1", offset: 3, entry: dataSource("d1", "old") });

  expect(view.dataSource("d1")).toBeUndefined();
});

test("predicates on data sources give the ids that fulfil them", () => {
  const view = createCatalogView();
  view.apply({ key: "d1", offset: 0, entry: dataSource("d1", "a", ["outside"]) });
  view.apply({ key: "d2", offset: 1, entry: dataSource("d2", "b") });

  expect(view.dataSourceIds({ field: "labels", filter: { in: ["outside"] } })).toEqual(["d1"]);
  expect(view.dataSourceIds({ field: "type", filter: { eq: "VIDEO_DEVICE" } })).toEqual(["d1", "d2"]);
  expect(view.dataSourceIds({ field: "deviceId", filter: { eq: "d2" } })).toEqual(["d2"]);
  expect(view.dataSourceIds({ field: "siteId", filter: { eq: "s" } })).toEqual([]);
});

test("a token that changes is reported, a new one and a known one are not", () => {
  const view = createCatalogView();
  const token = { tokenId: "t", name: "camera", valueSha256: "", scopes: ["read"] as const, createdAt: 0 };
  const entry = (revokedAt: number | null) => ({ type: "TokenEntry" as const, event: { ...token, revokedAt } });
  const told: unknown[] = [];
  view.onTokenChange(() => told.push(view.token("t")?.revokedAt));

  view.apply({ key: "t", offset: 0, entry: entry(null) });
  view.apply({ key: "d1", offset: 1, entry: dataSource("d1", "a") });
  expect(told).toEqual([]);
  view.apply({ key: "t", offset: 2, entry: entry(5) });
  view.apply({ key: "t", offset: 1, entry: entry(null) });
  expect(told).toEqual([5]);
  view.apply({ key: "t", offset: 3, entry: null });
  expect(told).toEqual([5, undefined]);
});

test("an own zone write stands until a version at or beyond its position comes", () => {
  const view = createZonesView();
  view.apply(version("d1", 1, 100));
  view.applyOwn(version("d1", 7, 700));

  view.apply(version("d1", 5, 500));
  expect(view.zone("z1")?.updatedAt).toBe(700);

  view.apply(version("d1", 8, 800));
  expect(view.zone("z1")?.updatedAt).toBe(800);
});

test("a zone that moves is never gone, whichever log is read first", () => {
  const moves = [version("d1", 1, 100), version("d1", 9, null), version("d2", 3, 200)];

  for (const order of [
    [0, 1, 2],
    [0, 2, 1],
    [2, 0, 1],
  ]) {
    const view = createZonesView();
    for (const i of order) {
      const moved = moves[i];
      if (moved !== undefined) view.apply(moved);
    }
    expect(view.zone("z1")?.dataSourceId).toBe("d2");
    expect(view.zonesOf("d1")).toEqual([]);
  }
});

test("a deleted zone is known to history only", () => {
  const view = createZonesView();
  view.apply(version("d1", 1, 100));
  view.apply(version("d1", 2, null));

  expect(view.zone("z1")).toBeUndefined();
  expect([...view.zones()]).toEqual([]);
  expect(view.lastKnown("z1")?.name).toBe("Gate");
});

test("the view says which zone events it has seen, by position", () => {
  const view = createZonesView();
  view.apply(version("d1", 3, 100));
  view.applyOwn(version("d1", 7, 200));

  expect([2, 3, 4, 7, 8].map((offset) => view.hasSeen(0, offset))).toEqual([true, true, false, true, false]);
  expect(view.hasSeen(1, 0)).toBe(false);

  view.apply(version("d1", 7, 200));
  expect(view.hasSeen(0, 4)).toBe(true);
});

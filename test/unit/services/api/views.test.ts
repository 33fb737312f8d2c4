import { expect, test } from "vitest";
import { createCatalog } from "../../../../projections/catalog/catalog.ts";
import { createDataSourceIds } from "../../../../projections/catalog/data-source-ids.ts";
import { createZonesView } from "../../../../projections/catalog/zones-view.ts";
import type { CatalogEvent, ZoneVersion } from "../../../../schemas/events.ts";
import { pick, seeded } from "../../../integration/history/world.ts";
import {
  dataSourceCreated,
  dataSourceDeleted,
  dataSourceUpdated,
  tokenCreated,
  tokenRevoked,
} from "../../../support/scenes/catalog.ts";
import { zone } from "../../../support/scenes/zone.ts";

const version = (
  dataSourceId: string,
  offset: number,
  updatedAt: number | null,
  overrides: Partial<ZoneVersion> = {},
): ZoneVersion => ({
  ...{ zoneId: "z1", dataSourceId, partition: 0, offset, movedTo: null, refusal: null },
  zone: updatedAt === null ? null : zone({ dataSourceId, updatedAt }),
  ...overrides,
});

test("an own catalog write shows until the topic brings it or something newer", () => {
  const catalog = createCatalog();
  catalog.apply(dataSourceCreated("d1"), 0);
  catalog.applyOwn(dataSourceUpdated("d1", { name: "new" }), 5);

  catalog.apply(dataSourceUpdated("d1", { name: "old" }), 3);
  expect(catalog.get("dataSource", "d1")?.name).toBe("new");

  catalog.apply(dataSourceUpdated("d1", { name: "newer" }), 6);
  expect(catalog.get("dataSource", "d1")?.name).toBe("newer");
});

test("an own write laid ahead of another writer's loses nothing of either", () => {
  const catalog = createCatalog();
  catalog.apply(dataSourceCreated("d1"), 0);
  catalog.applyOwn(dataSourceUpdated("d1", { name: "Yard" }), 9);
  catalog.applyOwn(dataSourceUpdated("d1", { type: "FOLDER" }), 7);

  catalog.apply(dataSourceUpdated("d1", { labels: ["outside"], name: "Gate" }), 4);
  expect(catalog.get("dataSource", "d1")).toMatchObject({ name: "Yard", type: "FOLDER", labels: ["outside"] });

  catalog.apply(dataSourceUpdated("d1", { type: "FOLDER" }), 7);
  catalog.apply(dataSourceUpdated("d1", { type: "GEOPOSITION" }), 8);
  expect(catalog.get("dataSource", "d1")).toMatchObject({ name: "Yard", type: "GEOPOSITION", labels: ["outside"] });
});

test("each of thousands of own writes ahead of the topic is laid once when it is written and once when it is read", () => {
  const catalog = createCatalog();
  const names = Array.from({ length: 2_000 }, (_, i) => `${i}`);
  let laid = 0;
  const log = names.map((name): CatalogEvent => {
    const { event } = dataSourceUpdated("d1", { name });
    const counted = {
      ...event,
      get change() {
        laid++;
        return "updated" as const;
      },
    };
    return { type: "DataSourceChanged", event: counted } as CatalogEvent;
  });
  catalog.apply(dataSourceCreated("d1"), 0);
  for (const [i, event] of log.entries()) catalog.applyOwn(event, i + 1);
  expect(laid).toBe(names.length);

  // The door of `apply` looks at the change once more.
  for (const [i, event] of log.entries()) catalog.apply(event, i + 1);
  expect(laid).toBeLessThanOrEqual(4 * names.length);
  expect(catalog.get("dataSource", "d1")?.name).toBe(names.at(-1));
});

test("an own deletion is not undone by what the topic still has to bring", () => {
  const catalog = createCatalog();
  catalog.applyOwn(dataSourceDeleted("d1"), 5);
  catalog.apply(dataSourceCreated("d1"), 3);

  expect(catalog.get("dataSource", "d1")).toBeUndefined();
});

test("whatever is read and written in whatever order, the end is that of the log", () => {
  const log = [
    dataSourceCreated("d1"),
    dataSourceUpdated("d1", { name: "a" }),
    dataSourceUpdated("d1", { labels: ["x"] }),
    dataSourceUpdated("d1", { name: "b", type: "FOLDER" }),
    dataSourceDeleted("d1"),
    dataSourceUpdated("d1", { name: "too late" }),
    dataSourceCreated("d1", { name: "again" }),
    dataSourceCreated("d1", { name: "repeated" }),
    dataSourceUpdated("d1", { labels: ["y"] }),
  ];
  const reader = createCatalog();
  for (const [offset, event] of log.entries()) reader.apply(event, offset);
  expect(reader.get("dataSource", "d1")).toMatchObject({ name: "again", type: "VIDEO_DEVICE", labels: ["y"] });

  for (let own = 0; own < 2 ** log.length; own++) {
    const writer = createCatalog();
    const late = log.flatMap((event, offset) => ((own >> offset) & 1 ? [{ event, offset }] : []));
    for (const { event, offset } of late.toReversed()) writer.applyOwn(event, offset);
    for (const [offset, event] of log.entries()) writer.apply(event, offset);
    for (const { event, offset } of late) writer.applyOwn(event, offset);
    expect(writer.get("dataSource", "d1")).toEqual(reader.get("dataSource", "d1"));
  }
});

test("an event that leaves out what an entity must have is not taken", () => {
  const catalog = createCatalog();

  expect(catalog.apply(dataSourceUpdated("d1", {}), 0)).toBeUndefined();
  const { event } = dataSourceUpdated("d1", {});
  const incomplete = { type: "DataSourceChanged", event: { ...event, change: "created" } } as CatalogEvent;
  expect(catalog.apply(incomplete, 1)).toBe("set.name: missing");
  expect(catalog.get("dataSource", "d1")).toBeUndefined();
});

test("predicates on data sources give the ids that fulfil them", () => {
  const catalog = createCatalog();
  const dataSourceIds = createDataSourceIds(catalog);
  catalog.apply(dataSourceCreated("d1", { labels: ["outside"] }), 0);
  catalog.apply(dataSourceCreated("d2"), 1);

  expect(dataSourceIds({ field: "labels", filter: { in: ["outside"] } })).toEqual(["d1"]);
  expect(dataSourceIds({ field: "type", filter: { eq: "VIDEO_DEVICE" } })).toEqual(["d1", "d2"]);
  expect(dataSourceIds({ field: "deviceId", filter: { eq: "d2" } })).toEqual(["d2"]);
  expect(dataSourceIds({ field: "siteId", filter: { eq: "s" } })).toEqual([]);
});

test("a token that changes is reported, a new one and a known one are not", () => {
  const catalog = createCatalog();
  const reported: unknown[] = [];
  catalog.onChange("token", () => reported.push(catalog.get("token", "t")?.revokedAt));

  catalog.apply(tokenCreated("t"), 0);
  catalog.apply(dataSourceCreated("d1"), 1);
  expect(reported).toEqual([]);
  catalog.apply(tokenRevoked("t", 5), 2);
  catalog.apply(tokenCreated("t"), 1);
  expect(reported).toEqual([5]);
});

test("a version that lies before one that was read changes nothing", () => {
  const view = createZonesView();
  view.apply(version("d1", 1, 100));
  view.apply(version("d1", 7, 700));

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

test("a zone on its way is at the data source to which it moves, until it is created or refused there", () => {
  const view = createZonesView();
  view.apply(version("d1", 1, 100));
  view.apply(version("d1", 9, null, { movedTo: "d2" }));

  expect(view.zone("z1")).toMatchObject({ dataSourceId: "d2", name: "Gate" });
  expect(view.isOnItsWay("z1")).toBe(true);

  view.apply(version("d1", 11, null, { refusal: "not_here" }));
  expect(view.isOnItsWay("z1")).toBe(true);
  expect(view.outcome(0, 11, 0)?.refusal).toBe("not_here");

  view.apply(version("d2", 3, 200));
  expect(view.isOnItsWay("z1")).toBe(false);
  view.apply(version("d2", 4, null));
  expect(view.zone("z1")).toBeUndefined();
});

test("a zone on its way follows those who send it elsewhere or delete it", () => {
  const view = createZonesView();
  view.apply(version("d1", 1, 100));
  view.apply(version("d1", 9, null, { movedTo: "d2" }));
  view.apply(version("d1", 10, null, { movedTo: "d4", refusal: "not_here" }));
  expect(view.zone("z1")?.dataSourceId).toBe("d2");

  view.apply(version("d2", 3, null, { movedTo: "d3", refusal: "not_here" }));
  expect(view.zone("z1")?.dataSourceId).toBe("d3");
  expect(view.isOnItsWay("z1")).toBe(true);

  view.apply(version("d3", 5, null, { movedTo: "d3", refusal: "not_here" }));
  expect(view.zone("z1")).toBeUndefined();

  view.apply(version("d3", 6, 300));
  view.apply(version("d3", 7, null, { movedTo: "d3" }));
  expect(view.zone("z1")).toBeUndefined();
});

test("a version of a newer log counts at any position, one of an earlier log never again", () => {
  const view = createZonesView();
  view.apply(version("d1", 50, 100), "old");
  view.apply(version("d1", 60, 700), "old");
  const since = view.versionCount();
  expect(view.outcome(0, 60, since)).toBeUndefined();

  view.apply(version("d1", 0, 650), "new");
  expect(view.zone("z1")?.updatedAt).toBe(650);
  expect(view.outcome(0, 0, since)?.zone?.updatedAt).toBe(650);
  expect([0, 1, 60].map((offset) => view.hasSeen(0, offset))).toEqual([true, false, false]);

  view.apply(version("d1", 70, 900), "old");
  expect(view.zone("z1")?.updatedAt).toBe(650);
  expect(view.hasSeen(0, 60)).toBe(false);
});

test("a creation that the fold refuses never shows, and a zone that finds no room stays on its way", () => {
  const view = createZonesView();
  view.apply(version("d1", 4, null, { refusal: "no_room" }));
  expect(view.zone("z1")).toBeUndefined();

  view.apply(version("d1", 5, 100));
  view.apply(version("d1", 6, null, { movedTo: "d2" }));
  view.apply(version("d2", 2, null, { refusal: "no_room" }));
  expect(view.zone("z1")?.dataSourceId).toBe("d2");
  expect(view.isOnItsWay("z1")).toBe(true);
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

  expect([2, 3, 4, 7].map((offset) => view.hasSeen(0, offset))).toEqual([true, true, false, false]);
  expect(view.hasSeen(1, 0)).toBe(false);

  view.apply(version("d1", 7, 200));
  expect(view.hasSeen(0, 4)).toBe(true);
});

test("the zones of a data source are those of all zones that are there, after every move and deletion", () => {
  const view = createZonesView();
  const random = seeded(1);
  const sources = ["d1", "d2", "d3"];
  for (let offset = 0; offset < 500; offset++) {
    const zoneId = `z${Math.floor(random() * 10)}`;
    const dataSourceId = pick(random, sources);
    const movedTo = pick(random, [null, ...sources]);
    const isThere = random() < 0.6;
    view.apply(
      version(dataSourceId, offset, null, {
        zoneId,
        movedTo: isThere ? null : movedTo,
        zone: isThere ? zone({ zoneId, dataSourceId, updatedAt: offset }) : null,
      }),
    );

    for (const source of sources) {
      const there = [...view.zones()].filter((each) => each.dataSourceId === source);
      expect(new Set(view.zonesOf(source))).toEqual(new Set(there));
    }
  }
});

test("the zones of a data source are found without a look at those of others", () => {
  const view = createZonesView();
  let checks = 0;
  const other = {
    ...zone({ zoneId: "other" }),
    get dataSourceId() {
      checks++;
      return "d2";
    },
  };
  view.apply(version("d2", 0, null, { zoneId: "other", zone: other }));
  view.apply(version("d1", 1, 100));
  checks = 0;

  expect(view.zonesOf("d1").map(({ zoneId }) => zoneId)).toEqual(["z1"]);
  expect(checks).toBe(0);
});

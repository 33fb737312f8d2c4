import { expect, test } from "vitest";
import { createLiveSubscriptions } from "../../../../../projections/webhooks/signals/live-subscriptions.ts";
import { createSubscriptions } from "../../../../../projections/webhooks/subscriptions/subscriptions.ts";
import { subscriptionSet, subscriptionStopped } from "../subscriptions/subscription.ts";

function createView(sites: Readonly<Record<string, string>> = {}) {
  const view = createSubscriptions();
  const reported: string[] = [];
  const subscriptions = createLiveSubscriptions({
    view,
    siteOf: (dataSourceId) => sites[dataSourceId] ?? null,
    onLeftOut: (dataSourceId, ids) => reported.push(`${dataSourceId} ${ids.join()}`),
  });
  let offset = 0;
  const idsOf = (dataSourceId: string): string[] => {
    const { tracks = [], zones = [], batches = [] } = subscriptions.of(dataSourceId) ?? {};
    return [...tracks, ...zones, ...batches].map(({ id }) => id);
  };
  const take = (record: Parameters<typeof view.apply>[0]): void => view.apply(record, offset++);
  return { subscriptions, idsOf, take, reported };
}

test("without subscriptions to tracks or zones nobody listens", () => {
  const { subscriptions, take } = createView();
  take(subscriptionSet({ signalType: "activity_chronicle" }));

  expect(subscriptions.of("cam")).toBeUndefined();
});

test("filters of data sources and sites decide who listens to a data source", () => {
  const { idsOf, take } = createView({ cam: "here" });
  take(subscriptionSet({ key: "all" }));
  take(subscriptionSet({ key: "cam", filters: { dataSourceIds: ["cam"] } }));
  take(subscriptionSet({ key: "here", signalType: "zone_state", filters: { siteIds: ["here"] } }));
  take(subscriptionSet({ key: "there", mode: "batch", filters: { siteIds: ["there"] } }));

  expect(idsOf("cam")).toEqual(["all", "cam", "here"]);
  expect(idsOf("other")).toEqual(["all"]);
});

test("a deleted or stopped subscription, and a device in another site, count at once", () => {
  const sites: Record<string, string> = { cam: "here" };
  const { subscriptions, idsOf, take } = createView(sites);
  take(subscriptionSet({ key: "a", filters: { siteIds: ["here"] } }));
  take(subscriptionSet({ key: "b" }));
  take(subscriptionSet({ key: "c" }));
  expect(idsOf("cam")).toEqual(["a", "b", "c"]);

  take(subscriptionStopped({ id: "b" }));
  take(subscriptionSet({ key: "c", deleted: true }));
  sites["cam"] = "there";
  subscriptions.siteChanged("cam");

  expect(subscriptions.of("cam")).toBeUndefined();
});

test("a change asks anew only for the data sources that it concerns, and a rotated secret for none", () => {
  const { subscriptions, take } = createView();
  take(subscriptionSet({ key: "a", filters: { dataSourceIds: ["a"] } }));
  take(subscriptionSet({ key: "b", filters: { dataSourceIds: ["b"] } }));
  const before = [subscriptions.of("a"), subscriptions.of("b")];

  take(subscriptionSet({ key: "a", filters: { dataSourceIds: ["a"] }, updatedAt: 2_000 }));
  take(subscriptionSet({ key: "chronicles", signalType: "activity_chronicle" }));
  expect(subscriptions.of("a")).toBe(before[0]);

  take(subscriptionSet({ key: "a", filters: { dataSourceIds: ["a", "c"] }, version: "v2" }));
  expect(subscriptions.of("a")).not.toBe(before[0]);
  expect(subscriptions.of("b")).toBe(before[1]);
  expect(subscriptions.of("c")?.tracks).toHaveLength(1);
});

test("a POST of the same changes nothing, and a change of one subscription leaves the zones of others as they were", () => {
  const { subscriptions, take } = createView();
  const zones = { key: "zones", signalType: "zone_state", filters: { zoneIds: ["door", "gate"] } } as const;
  take(subscriptionSet(zones));
  take(subscriptionSet({ key: "tracks" }));
  const before = subscriptions.of("cam");

  take(subscriptionSet({ key: "tracks", version: "v2", updatedAt: 2_000 }));
  expect(subscriptions.of("cam")).toBe(before);

  take(subscriptionSet({ key: "tracks", version: "v3", filters: { tags: ["person"] } }));
  expect(subscriptions.of("cam")).not.toBe(before);
  expect(subscriptions.of("cam")?.zones[0]?.zoneIds).toBe(before?.zones[0]?.zoneIds);
});

test("every setting that shapes signals counts, and so does another creation and the end of a stop", () => {
  const { subscriptions, idsOf, take } = createView();
  const settings = [
    { signalType: "zone_state" },
    { zoneEmitMode: "composition" },
    { heartbeatSeconds: 10 },
    { mode: "batch" },
    { pixelProximityThreshold: 1 },
    { geoProximityThresholdM: 1 },
    { filters: { zoneIds: ["door"] } },
    { createdAt: 5_000 },
  ] as const;
  for (const [i, given] of settings.entries()) {
    const before = subscriptions.of("cam");
    take(subscriptionSet({ ...given, version: `v${i}` }));
    expect(subscriptions.of("cam"), JSON.stringify(given)).not.toBe(before);
  }

  take(subscriptionStopped({ version: "v7" }));
  expect(idsOf("cam")).toEqual([]);
  take(subscriptionSet({ createdAt: 5_000, version: "v8" }));
  expect(idsOf("cam")).toEqual(["a"]);
});

test("subscriptions beyond the bounds of a data source are told of once, and heard of when there is room", () => {
  const { idsOf, take, reported } = createView();
  const batch = (i: number, given: object = {}) =>
    subscriptionSet({ ...{ key: `s${i}`, mode: "batch", pixelProximityThreshold: i, createdAt: 1_000 + i }, ...given });
  for (let i = 0; i < 25; i++) take(batch(i));

  expect(idsOf("cam")).not.toContain("s24");
  take(subscriptionSet({ key: "other" }));
  expect(idsOf("cam")).toHaveLength(25);
  expect(reported).toEqual(["cam s24"]);

  take(batch(3, { deleted: true }));
  expect(idsOf("cam")).toContain("s24");
});

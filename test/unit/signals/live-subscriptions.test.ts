import { expect, test } from "vitest";
import { createLiveSubscriptions } from "../../../projections/signals/live-subscriptions.ts";
import { createSubscriptions } from "../../../projections/subscriptions/subscriptions.ts";
import { subscriptionSet, subscriptionStopped } from "../subscriptions/subscription.ts";

function createView(sites: Readonly<Record<string, string>> = {}) {
  const view = createSubscriptions();
  const subscriptions = createLiveSubscriptions(view, (dataSourceId) => sites[dataSourceId] ?? null);
  let offset = 0;
  const idsOf = (dataSourceId: string): string[] => {
    const { tracks = [], zones = [], batches = [] } = subscriptions.of(dataSourceId) ?? {};
    return [...tracks, ...zones, ...batches].map(({ id }) => id);
  };
  const take = (record: Parameters<typeof view.apply>[0]): void => view.apply(record, offset++);
  return { subscriptions, idsOf, take };
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
  subscriptions.sitesChanged();

  expect(subscriptions.of("cam")).toBeUndefined();
});

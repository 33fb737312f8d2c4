// The subscribers of a replay: its own subscriptions, and no others.
import type { SubscriptionSet } from "../../schemas/records/subscription.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type SourceSubscribers, type Subscribers, subscribersOf } from "../webhooks/signals/subscribers.ts";

/** A replay raises signals for these subscriptions only. */
export function sessionSubscribers(subscriptions: readonly SubscriptionSet[], catalog: Catalog): SourceSubscribers {
  /** The subscribers by the ids of their subscriptions: devices may move to other sites meanwhile. */
  const known = new Map<string, Subscribers | undefined>();
  return {
    of(dataSourceId) {
      const matching = subscriptions.filter((each) => lets(each, dataSourceId, catalog));
      const key = matching.length === subscriptions.length ? "all" : matching.map((each) => each.key).join("\u0000");
      if (!known.has(key)) known.set(key, subscribersOf(matching));
      return known.get(key);
    },
  };
}

function lets({ filters }: SubscriptionSet, dataSourceId: string, catalog: Catalog): boolean {
  const { dataSourceIds, siteIds } = filters;
  const isAtSite = () =>
    catalog
      .referring("device", "dataSourceId", dataSourceId)
      .some(({ siteId }) => siteId !== null && siteIds.includes(siteId));
  return (dataSourceIds.length === 0 || dataSourceIds.includes(dataSourceId)) && (siteIds.length === 0 || isAtSite());
}

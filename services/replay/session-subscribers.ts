import type { Catalog } from "../../projections/catalog/catalog.ts";
import { type SourceSubscribers, subscribersOf } from "../../projections/webhooks/signals/subscribers.ts";
import type { SubscriptionSet } from "../../schemas/records/subscription.ts";

/** Returns subscribers with only the session's subscription: a replay raises no signals for others. */
export function sessionSubscribers(subscription: SubscriptionSet, catalog: Catalog): SourceSubscribers {
  const subscribers = subscribersOf([subscription]);
  const { dataSourceIds, siteIds } = subscription.filters;
  const isAt = (dataSourceId: string) => {
    const devices = catalog.referring("device", "dataSourceId", dataSourceId);
    return devices.some(({ siteId }) => siteId !== null && siteIds.includes(siteId));
  };
  const lets = (dataSourceId: string) =>
    (dataSourceIds.length === 0 || dataSourceIds.includes(dataSourceId)) &&
    (siteIds.length === 0 || isAt(dataSourceId));
  return { of: (dataSourceId) => (lets(dataSourceId) ? subscribers : undefined) };
}

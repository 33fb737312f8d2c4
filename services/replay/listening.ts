import type { Catalog } from "../../projections/catalog/catalog.ts";
import { listenersOf, type Subscriptions } from "../../projections/signals/listeners.ts";
import type { SubscriptionSet } from "../../schemas/records/subscription.ts";

/** The session's subscription as the only one of the fold. */
export function listening(subscription: SubscriptionSet, catalog: Catalog): Subscriptions {
  const listeners = listenersOf([subscription]);
  const { dataSourceIds, siteIds } = subscription.filters;
  const isAt = (dataSourceId: string) => {
    const devices = catalog.referring("device", "dataSourceId", dataSourceId);
    return devices.some(({ siteId }) => siteId !== null && siteIds.includes(siteId));
  };
  const lets = (dataSourceId: string) =>
    (dataSourceIds.length === 0 || dataSourceIds.includes(dataSourceId)) &&
    (siteIds.length === 0 || isAt(dataSourceId));
  return { of: (dataSourceId) => (lets(dataSourceId) ? listeners : undefined) };
}

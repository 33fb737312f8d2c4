import type { SubscriptionFilters } from "../../../schemas/records/subscription.ts";

/** The filters of a subscription that lets everything through. */
export const noFilters: SubscriptionFilters = {
  ...{ dataSourceIds: [], tags: [], zoneIds: [], siteIds: [] },
  ...{ chronicleIds: [], producerIds: [], tagIds: [], pointOfInterestIds: [] },
  ...{ labels: [], locations: [], statuses: [], priorities: [] },
};

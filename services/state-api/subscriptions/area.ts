// Subscriptions: their view, their changes, and the endpoints.
import { createAuthenticate } from "../../../projections/catalog/tokens.ts";
import { createSubscriptions, type Subscriptions } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import { createGuard } from "../../common/outbound/guard.ts";
import { createSealer } from "../../common/sealed.ts";
import { createMarkDeleted } from "../deliveries/mark-deleted.ts";
import { createSignalPartitionOf } from "../deliveries/partition-of.ts";
import type { RestArea, Shared } from "../shared/shared.ts";
import { subscriptionRoutes } from "./routes.ts";
import { sealAgain } from "./seal-again.ts";
import { createSigningSecrets } from "./signing-secrets.ts";
import { createSubscriptionStore } from "./store.ts";
import { createSubscriptionPlaces } from "./subscription-places.ts";

/** `refresh` waits a moment for the writes of other instances. */
export function subscriptionsArea(
  shared: Shared,
): RestArea & { readonly view: Subscriptions; readonly refresh: () => Promise<void> } {
  const { config, catalog, codec, namespace, log } = shared;
  const { now } = Date;
  const redis = shared.redis(1);
  const view = createSubscriptions();
  const store = createSubscriptionStore({
    view,
    codec,
    namespace,
    now,
    follower: shared.follow("subscriptions", view.apply),
    publisher: shared.publisher(),
    redis,
    places: createSubscriptionPlaces({
      view,
      max: config.STATE_API_MAX_SUBSCRIPTIONS,
      maxPerToken: config.STATE_API_MAX_SUBSCRIPTIONS_PER_TOKEN,
      maxPerSource: config.STATE_API_MAX_SUBSCRIPTIONS_PER_SOURCE,
      maxBytes: config.STATE_API_MAX_SUBSCRIPTION_BYTES,
    }),
  });
  const secrets = createSigningSecrets(createSealer(config), now);
  const routes = subscriptionRoutes({
    store,
    catalog,
    now,
    secrets,
    authenticate: createAuthenticate(catalog),
    guard: createGuard(config, "public"),
    markDeleted: createMarkDeleted({ redis, namespace, log, partitionOf: createSignalPartitionOf(shared) }),
    isOwn: shared.upstream.isOwn,
  });
  return { routes, view, refresh: store.refresh, parts: [sealAgain({ store, secrets, log })] };
}

// Subscriptions: their view, the changes of it, and its endpoints.
import { createAuthenticate } from "../../../projections/catalog/tokens.ts";
import { createSubscriptions, type Subscriptions } from "../../../projections/subscriptions/subscriptions.ts";
import { createGuard } from "../../common/outbound/guard.ts";
import { createSealer } from "../../common/sealed.ts";
import { createMarkDeleted } from "../deliveries/mark-deleted.ts";
import { createSignalPartitionOf } from "../deliveries/partition-of.ts";
import { subscriptionRoutes } from "../routes/subscriptions.ts";
import type { Area, Shared } from "../shared.ts";
import { createRoom } from "./room.ts";
import { sealAgain } from "./seal-again.ts";
import { createSigningSecrets } from "./signing-secrets.ts";
import { createSubscriptionStore } from "./store.ts";

/** `refresh`: waits a moment for what other instances have written. */
export function subscriptionsArea(
  shared: Shared,
): Area & { readonly view: Subscriptions; readonly refresh: () => Promise<void> } {
  const { config, catalog, codec, namespace, log } = shared;
  const { now } = Date;
  const redis = shared.redis(1);
  const view = createSubscriptions();
  const store = createSubscriptionStore({
    ...{ view, codec, namespace, now },
    follower: shared.follow("subscriptions", view.apply),
    publisher: shared.publisher(),
    redis,
    room: createRoom({
      view,
      max: config.STATE_API_MAX_SUBSCRIPTIONS,
      maxPerToken: config.STATE_API_MAX_SUBSCRIPTIONS_PER_TOKEN,
      maxPerSource: config.STATE_API_MAX_SUBSCRIPTIONS_PER_SOURCE,
      maxBytes: config.STATE_API_MAX_SUBSCRIPTION_BYTES,
    }),
  });
  const secrets = createSigningSecrets(createSealer(config), now);
  const routes = subscriptionRoutes({
    ...{ store, catalog, now, secrets },
    authenticate: createAuthenticate(catalog),
    guard: createGuard(config, "public"),
    markDeleted: createMarkDeleted({ redis, namespace, log, partitionOf: createSignalPartitionOf(shared) }),
    isOwn: shared.upstream.isOwn,
  });
  return { routes, view, refresh: store.refresh, parts: [sealAgain({ store, secrets, log })] };
}

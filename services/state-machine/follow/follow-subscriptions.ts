// Follows the subscriptions. They are read before the first message is folded: a signal for an unknown subscription is
// not raised later.
import type { Kafka } from "kafkajs";
import {
  createLiveSubscriptions,
  type LiveSubscriptions,
} from "../../../projections/webhooks/signals/live-subscriptions.ts";
import { createSites } from "../../../projections/webhooks/signals/sites.ts";
import { createSubscriptions } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import type { Codec } from "../../../schemas/codec.ts";
import type { CatalogEvent } from "../../../schemas/events.ts";
import { followRecords } from "../../common/kafka/read/follow-records.ts";
import type { Part } from "../../common/lifecycle.ts";
import type { Log } from "../../common/log.ts";

export interface FollowSubscriptionsOptions {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly namespace: string;
  readonly groupPrefix: string;
  readonly log: Log;
}

export interface FollowedSubscriptions {
  readonly part: Part;
  readonly subscriptions: LiveSubscriptions;
  /** Receives a change of a device: subscriptions may name the site of its data source. */
  readonly onDevice: (message: CatalogEvent, offset: number) => void;
}

const MOST_LOGGED = 10;

export function followSubscriptions(options: FollowSubscriptionsOptions): FollowedSubscriptions {
  const view = createSubscriptions();
  const sites = createSites();
  const subscriptions = createLiveSubscriptions({
    view,
    siteOf: sites.siteOf,
    onLeftOut: (dataSourceId, ids) =>
      options.log.warn({ dataSourceId, count: ids.length, ids: ids.slice(0, MOST_LOGGED) }, "too many subscriptions"),
  });
  const follower = followRecords({ ...options, topic: "subscriptions", apply: view.apply });
  return {
    subscriptions,
    part: {
      ...follower,
      name: "subscriptions",
      async start() {
        await follower.start();
        await Promise.race([follower.caughtUp, follower.failed]);
      },
    },
    onDevice(message, offset) {
      for (const dataSourceId of sites.apply(message, offset)) subscriptions.siteChanged(dataSourceId);
    },
  };
}

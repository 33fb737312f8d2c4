// Builders of subscriptions for the fold, and short forms of what it raises.

import type { LiveListener } from "../../../../../projections/live/partition.ts";
import { createSignalListener } from "../../../../../projections/webhooks/signals/signal-listener.ts";
import {
  type SourceSubscribers,
  type Subscribed,
  subscribersOf,
} from "../../../../../projections/webhooks/signals/subscribers.ts";
import type { SignalRaised } from "../../../../../schemas/records/signal-raised.ts";
import type { SubscriptionFilters } from "../../../../../schemas/records/subscription.ts";
import { noFilters } from "../../../../support/scenes/no-filters.ts";
import { T0 } from "../../live/camera.ts";

type Wanted = Partial<Omit<Subscribed, "filters">> & { readonly filters?: Partial<SubscriptionFilters> };

/** Hears of every track of every data source, unless the test says otherwise. */
export const subscribed = ({ filters, ...overrides }: Wanted = {}): Subscribed => ({
  key: "s",
  mode: "streaming",
  signalType: "track_state",
  zoneEmitMode: "all",
  heartbeatSeconds: 30,
  pixelProximityThreshold: 50,
  geoProximityThresholdM: 5,
  createdAt: T0,
  ...overrides,
  filters: { ...noFilters, ...filters },
});

export const ofZones = (overrides: Wanted = {}): Subscribed => subscribed({ signalType: "zone_state", ...overrides });
export const inBatches = (overrides: Wanted = {}): Subscribed => subscribed({ mode: "batch", ...overrides });

/** In every data source. */
export function toAll(...subscriptions: readonly Subscribed[]): SourceSubscribers {
  const subscribers = subscribersOf(subscriptions);
  return { of: () => subscribers };
}

/** A listener of the fold for these subscriptions, in every data source. */
export const listenFor = (...subscriptions: readonly Subscribed[]): LiveListener =>
  createSignalListener(toAll(...subscriptions));

/** Formats a signal as `signal subject@seconds`, with the reason if there is one. */
export function reported({ signal, subjectId, timestamp, emitReason, expiredBy }: SignalRaised): string {
  const reason = emitReason ?? expiredBy;
  return `${signal} ${subjectId}@${(timestamp - T0) / 1_000}${reason === null ? "" : ` ${reason}`}`;
}

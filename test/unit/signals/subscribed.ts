// Builders of subscriptions for the fold, and short forms of what it raises.
import { listenersOf, type Subscribed, type Subscriptions } from "../../../projections/signals/listeners.ts";
import type { SignalRaised } from "../../../schemas/records/signal-raised.ts";
import type { SubscriptionFilters } from "../../../schemas/records/subscription.ts";
import { noFilters } from "../../support/no-filters.ts";
import { T0 } from "../live/camera.ts";

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
export function toAll(...subscriptions: readonly Subscribed[]): Subscriptions {
  const listeners = listenersOf(subscriptions);
  return { of: () => listeners };
}

/** As `signal subject@seconds`, with the reason if there is one. */
export function told({ signal, subjectId, timestamp, emitReason, expiredBy }: SignalRaised): string {
  const reason = emitReason ?? expiredBy;
  return `${signal} ${subjectId}@${(timestamp - T0) / 1_000}${reason === null ? "" : ` ${reason}`}`;
}

// The subscriptions that are to be told of the tracks and zones of a data source, in the form that the fold asks for.
import type { SubscriptionSet } from "../../schemas/records/subscription.ts";
import { type Bounded, beyondBounds } from "./bounds.ts";
import { isOfChronicles, type Thresholds, tagsKeyOf, tagsOf, thresholdsOf, zoneIdsOf } from "./settings.ts";

/** A setting of the live fold. */
export interface Subscriptions {
  /** undefined = nobody listens, which every detection asks about: it must cost no more than a look-up. */
  of(dataSourceId: string): Listeners | undefined;
}

/** @internal */
export const noSubscriptions: Subscriptions = { of: () => undefined };

/** Never changed once made: a message is folded in steps, and all of them must see the same subscriptions. */
export interface Listeners {
  readonly tracks: readonly Listener[];
  readonly zones: readonly ZoneListener[];
  readonly batches: readonly BatchListener[];
  /** Of `batches`. */
  readonly proximity: Proximity;
  /** The ids of those beyond the bounds of a data source: they are told nothing. */
  readonly leftOut: readonly string[];
}

export interface Proximity {
  /** Distinct ones. */
  readonly thresholds: readonly AskedThresholds[];
  /** The largest of each kind: what is not near by them is near to nobody. */
  readonly widest: Pick<Thresholds, "pixels" | "metres">;
}

export interface AskedThresholds extends Thresholds {
  /** When the first of the subscriptions with this pair was created, ms: what the log recorded before counts for none of them. */
  readonly since: number;
}

export interface Listener {
  readonly id: string;
  /** When it was created, ms. */
  readonly generation: number;
  /** In lower case; empty = all. */
  readonly tags: ReadonlySet<string>;
  /** Two listeners with the same text have the same tags. */
  readonly tagsKey: string;
  /** Hears of what the log recorded at this broker time or later, ms. */
  readonly since: number;
}

export interface ZoneListener extends Listener {
  /** Empty = all. */
  readonly zoneIds: ReadonlySet<string>;
  /** Least event time between two updates of the same composition; null = every update is told. */
  readonly heartbeatMs: number | null;
}

export interface BatchListener extends Listener {
  readonly thresholds: Thresholds;
}

/** What a listener is made of. */
export type Subscribed = Bounded & Pick<SubscriptionSet, "zoneEmitMode" | "heartbeatSeconds">;

/** The clock of the process that made the subscription may be this far ahead of the broker's. */
const CLOCK_DIFFERENCE_MS = 60_000;
/** What 0 means. */
const HEARTBEAT_S = 30;

/** `subscriptions`: those whose filters of data sources and sites let the data source through. */
export function listenersOf(subscriptions: Iterable<Subscribed>): Listeners | undefined {
  const wanted = [...subscriptions].filter((each) => !isOfChronicles(each));
  if (wanted.length === 0) return undefined;
  const tracks: Listener[] = [];
  const zones: ZoneListener[] = [];
  const batches: BatchListener[] = [];
  const leftOut = beyondBounds(wanted);
  for (const each of wanted) {
    if (leftOut.has(each.key)) continue;
    const listener = listenerOf(each);
    if (each.mode === "batch") batches.push({ ...listener, thresholds: thresholdsOf(each) });
    else if (each.signalType === "track_state") tracks.push(listener);
    else zones.push({ ...listener, ...zonesOf(each) });
  }
  return { tracks, zones, batches, proximity: proximityOf(batches), leftOut: [...leftOut] };
}

const listenerOf = (subscription: Subscribed): Listener => ({
  id: subscription.key,
  generation: subscription.createdAt,
  tags: tagsOf(subscription),
  tagsKey: tagsKeyOf(subscription),
  since: subscription.createdAt - CLOCK_DIFFERENCE_MS,
});

function zonesOf(subscription: Subscribed) {
  const { zoneEmitMode, heartbeatSeconds } = subscription;
  return {
    zoneIds: zoneIdsOf(subscription),
    heartbeatMs: zoneEmitMode === "composition" ? (heartbeatSeconds || HEARTBEAT_S) * 1_000 : null,
  };
}

function proximityOf(batches: readonly BatchListener[]): Proximity {
  const asked = new Map<string, AskedThresholds>();
  for (const { thresholds, generation } of batches) {
    const since = Math.min(generation, asked.get(thresholds.key)?.since ?? generation);
    asked.set(thresholds.key, { ...thresholds, since });
  }
  const thresholds = [...asked.values()];
  const pixels = Math.max(0, ...thresholds.map((each) => each.pixels));
  const metres = Math.max(0, ...thresholds.map((each) => each.metres));
  return { thresholds, widest: { pixels, metres } };
}

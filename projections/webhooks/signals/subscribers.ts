// The subscriptions to the tracks and zones of a data source, in the form that the fold needs.
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";
import { type Bounded, beyondBounds } from "./bounds.ts";
import { isOfChronicles, type Thresholds, tagsKeyOf, tagsOf, thresholdsOf, zoneIdsOf } from "./settings.ts";

export interface SourceSubscribers {
  /**
   * Called for every detection, so it must cost no more than a look-up.
   * @returns undefined when no subscription wants signals of the data source.
   */
  of(dataSourceId: string): Subscribers | undefined;
}

/** Immutable: a message is folded in steps, and all of them must use the same subscriptions. */
export interface Subscribers {
  readonly tracks: readonly SignalSubscriber[];
  readonly zones: readonly ZoneSubscriber[];
  readonly batches: readonly BatchSubscriber[];
  /** The thresholds of `batches`. */
  readonly proximity: Proximity;
  /** Ids of the subscriptions beyond the bounds of a data source, which get no signals. */
  readonly leftOut: readonly string[];
}

export interface Proximity {
  /** The distinct thresholds. */
  readonly thresholds: readonly ThresholdSettings[];
  /** The largest threshold of each kind: tracks farther apart than these are near for no subscriber. */
  readonly widest: Pick<Thresholds, "pixels" | "metres">;
}

export interface ThresholdSettings extends Thresholds {
  /**
   * Time at which the first of the subscriptions with this pair was created, ms. Records of the log before it do not
   * count for this pair.
   */
  readonly since: number;
}

export interface SignalSubscriber {
  readonly id: string;
  /** Time at which the subscription was created, ms. */
  readonly generation: number;
  /** Tags in lower case. Empty means all tags. */
  readonly tags: ReadonlySet<string>;
  /** Equal texts mean equal tags. */
  readonly tagsKey: string;
  /** The subscriber gets signals of messages that the broker recorded at this time or later, ms. */
  readonly since: number;
}

export interface ZoneSubscriber extends SignalSubscriber {
  /** Empty means all zones. */
  readonly zoneIds: ReadonlySet<string>;
  /** Minimum event time between two updates of the same composition. Null when every update is signalled. */
  readonly heartbeatMs: number | null;
}

export interface BatchSubscriber extends SignalSubscriber {
  readonly thresholds: Thresholds;
}

/** The fields of a subscription from which a subscriber derives. */
export type Subscribed = Bounded & Pick<SubscriptionSet, "zoneEmitMode" | "heartbeatSeconds">;

/** The clock of the process that created the subscription may be this far ahead of the broker's. */
const CLOCK_DIFFERENCE_MS = 60_000;
/** The interval when the subscription's `heartbeat_seconds` is 0. */
const HEARTBEAT_S = 30;

/**
 * `subscriptions` are those whose filters of data sources and sites match the data source.
 * @returns undefined when none of them wants signals of tracks or zones.
 */
export function subscribersOf(subscriptions: Iterable<Subscribed>): Subscribers | undefined {
  const wanted = [...subscriptions].filter((each) => !isOfChronicles(each));
  if (wanted.length === 0) return undefined;
  const tracks: SignalSubscriber[] = [];
  const zones: ZoneSubscriber[] = [];
  const batches: BatchSubscriber[] = [];
  const leftOut = beyondBounds(wanted);
  for (const each of wanted) {
    if (leftOut.has(each.key)) continue;
    const subscriber = subscriberOf(each);
    if (each.mode === "batch") batches.push({ ...subscriber, thresholds: thresholdsOf(each) });
    else if (each.signalType === "track_state") tracks.push(subscriber);
    else zones.push({ ...subscriber, ...zonesOf(each) });
  }
  return { tracks, zones, batches, proximity: proximityOf(batches), leftOut: [...leftOut] };
}

const subscriberOf = (subscription: Subscribed): SignalSubscriber => ({
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

function proximityOf(batches: readonly BatchSubscriber[]): Proximity {
  const byKey = new Map<string, ThresholdSettings>();
  for (const { thresholds, generation } of batches) {
    const since = Math.min(generation, byKey.get(thresholds.key)?.since ?? generation);
    byKey.set(thresholds.key, { ...thresholds, since });
  }
  const thresholds = [...byKey.values()];
  const pixels = Math.max(0, ...thresholds.map((each) => each.pixels));
  const metres = Math.max(0, ...thresholds.map((each) => each.metres));
  return { thresholds, widest: { pixels, metres } };
}

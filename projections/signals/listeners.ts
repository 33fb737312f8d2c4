// The subscriptions that are to be told of the tracks and zones of a data source, in the form that the fold asks for.
import type { SubscriptionSet } from "../../schemas/records/subscription.ts";

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
  /** The distinct thresholds of `batches`. */
  readonly thresholds: readonly Thresholds[];
  /** How long a state in a signal may be, so that one detection that concerns all of them does not fill the memory. */
  readonly mostCharacters: number;
}

export interface Listener {
  readonly id: string;
  /** In lower case; empty = all. */
  readonly tags: ReadonlySet<string>;
  /** Hears of what the log recorded at this broker time or later, ms. */
  readonly since: number;
}

export interface ZoneListener extends Listener {
  /** Two listeners with the same text have the same tags. */
  readonly tagsKey: string;
  /** Empty = all. */
  readonly zoneIds: ReadonlySet<string>;
  /** Least event time between two updates of the same composition; null = every update is told. */
  readonly heartbeatMs: number | null;
}

export interface BatchListener extends Listener {
  readonly thresholds: Thresholds;
}

/** Tracks nearer than one of them interact; both are inclusive. */
export interface Thresholds {
  /** Names the pair. */
  readonly key: string;
  readonly pixels: number;
  readonly metres: number;
}

/** What a listener is made of. */
export type Subscribed = Pick<
  SubscriptionSet,
  | "key"
  | "mode"
  | "signalType"
  | "filters"
  | "zoneEmitMode"
  | "heartbeatSeconds"
  | "pixelProximityThreshold"
  | "geoProximityThresholdM"
  | "createdAt"
>;

/** The clock of the process that made the subscription may be this far ahead of the broker's. */
const CLOCK_DIFFERENCE_MS = 60_000;
/** Far below what the log takes in one message. */
const MOST_CHARACTERS = 512 * 1024;
const MOST_CHARACTERS_TOGETHER = 16 * 1024 * 1024;
/** What 0 means. */
const HEARTBEAT_S = 30;

/** `subscriptions`: those whose filters of data sources and sites let the data source through. */
export function listenersOf(subscriptions: Iterable<Subscribed>): Listeners | undefined {
  const tracks: Listener[] = [];
  const zones: ZoneListener[] = [];
  const batches: BatchListener[] = [];
  for (const each of subscriptions) {
    const listener = listenerOf(each);
    if (each.signalType === "activity_chronicle") continue;
    if (each.mode === "batch") batches.push({ ...listener, thresholds: thresholdsOf(each) });
    else if (each.signalType === "track_state") tracks.push(listener);
    else zones.push({ ...listener, ...zonesOf(each, listener) });
  }
  const count = tracks.length + zones.length + batches.length;
  if (count === 0) return undefined;
  const thresholds = new Map(batches.map((batch) => [batch.thresholds.key, batch.thresholds]));
  const mostCharacters = Math.min(MOST_CHARACTERS, MOST_CHARACTERS_TOGETHER / count);
  return { tracks, zones, batches, thresholds: [...thresholds.values()], mostCharacters };
}

function listenerOf({ key, filters, createdAt }: Subscribed): Listener {
  const tags = new Set(filters.tags.map((tag) => tag.toLowerCase()));
  return { id: key, tags, since: createdAt - CLOCK_DIFFERENCE_MS };
}

function zonesOf({ filters, zoneEmitMode, heartbeatSeconds }: Subscribed, { tags }: Listener) {
  return {
    tagsKey: JSON.stringify([...tags].sort()),
    zoneIds: new Set(filters.zoneIds),
    heartbeatMs: zoneEmitMode === "composition" ? (heartbeatSeconds || HEARTBEAT_S) * 1_000 : null,
  };
}

function thresholdsOf({ pixelProximityThreshold: pixels, geoProximityThresholdM: metres }: Subscribed): Thresholds {
  return { key: `${pixels} ${metres}`, pixels, metres };
}

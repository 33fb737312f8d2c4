// What the settings of a subscription mean to the fold. Made once for each subscription, because a change of any of them asks
// for all of its data source anew.
import { hash } from "node:crypto";
import { defaultThresholds, type SubscriptionSet } from "../../schemas/records/subscription.ts";

/** Tracks nearer than one of them interact; both are inclusive. */
export interface Thresholds {
  /** Names the pair. */
  readonly key: string;
  readonly pixels: number;
  readonly metres: number;
  /** So many others a track keeps the figures of, by this pair. */
  readonly mostOthers: number;
}

/** A track that stands in a crowd for days keeps the others that were near last: its stored text has them all. */
const MOST_OTHERS = 100;
/** A data source may have 24 pairs beside the usual one. Fixed, so that no subscription changes what another one gets. */
const MOST_OTHERS_BY_OWN_PAIR = 25;

export const isDefault = ({ pixels, metres }: Pick<Thresholds, "pixels" | "metres">): boolean =>
  pixels === defaultThresholds.pixels && metres === defaultThresholds.metres;

type WithFilters = Pick<SubscriptionSet, "filters">;

export const isOfChronicles = ({ signalType }: Pick<SubscriptionSet, "signalType">): boolean =>
  signalType === "activity_chronicle";

export function thresholdsOf({
  pixelProximityThreshold: pixels,
  geoProximityThresholdM: metres,
}: Pick<SubscriptionSet, "pixelProximityThreshold" | "geoProximityThresholdM">): Thresholds {
  const mostOthers = isDefault({ pixels, metres }) ? MOST_OTHERS : MOST_OTHERS_BY_OWN_PAIR;
  return { key: `${pixels} ${metres}`, pixels, metres, mostOthers };
}

const tagsOfAll = new WeakMap<WithFilters, ReadonlySet<string>>();
const keysOfAll = new WeakMap<WithFilters, string>();

/** In lower case; empty = all. */
export function tagsOf(subscription: WithFilters): ReadonlySet<string> {
  const known = tagsOfAll.get(subscription);
  if (known !== undefined) return known;
  const tags = new Set(subscription.filters.tags.map((tag) => tag.toLowerCase()));
  tagsOfAll.set(subscription, tags);
  return tags;
}

const zoneIdsOfAll = new WeakMap<WithFilters, ReadonlySet<string>>();

/** Empty = all. */
export function zoneIdsOf(subscription: WithFilters): ReadonlySet<string> {
  const known = zoneIdsOfAll.get(subscription);
  if (known !== undefined) return known;
  const zoneIds = new Set(subscription.filters.zoneIds);
  zoneIdsOfAll.set(subscription, zoneIds);
  return zoneIds;
}

/** The same for the same tags. Short, because it is compared for each subscription and detection. */
export function tagsKeyOf(subscription: WithFilters): string {
  const known = keysOfAll.get(subscription);
  if (known !== undefined) return known;
  const tags = tagsOf(subscription);
  const key = tags.size === 0 ? "" : hash("sha256", JSON.stringify([...tags].sort()), "base64url");
  keysOfAll.set(subscription, key);
  return key;
}

// The settings of a subscription as the fold uses them. They are derived once for each subscription, because a change
// of one subscription makes the fold read those of all others of the data source again.
import { hash } from "node:crypto";
import { defaultThresholds, type SubscriptionSet } from "../../../schemas/records/subscription.ts";

/** Tracks interact when their distance is at most one of these. */
export interface Thresholds {
  /** Names the pair of thresholds. */
  readonly key: string;
  readonly pixels: number;
  readonly metres: number;
  /** Number of other tracks whose figures a track keeps for this pair. */
  readonly mostOthers: number;
}

/**
 * Limit for the usual pair of thresholds. A track that is among many others for days keeps only the figures of those
 * that were near last, because its stored text contains them all.
 */
const MOST_OTHERS = 100;
/**
 * Limit for any other pair, of which a data source may have 24. The number is fixed, so that no subscription changes
 * the signals of another one.
 */
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

/** The tags in lower case. Empty means all tags. */
export function tagsOf(subscription: WithFilters): ReadonlySet<string> {
  const known = tagsOfAll.get(subscription);
  if (known !== undefined) return known;
  const tags = new Set(subscription.filters.tags.map((tag) => tag.toLowerCase()));
  tagsOfAll.set(subscription, tags);
  return tags;
}

const zoneIdsOfAll = new WeakMap<WithFilters, ReadonlySet<string>>();

/** Empty means all zones. */
export function zoneIdsOf(subscription: WithFilters): ReadonlySet<string> {
  const known = zoneIdsOfAll.get(subscription);
  if (known !== undefined) return known;
  const zoneIds = new Set(subscription.filters.zoneIds);
  zoneIdsOfAll.set(subscription, zoneIds);
  return zoneIds;
}

/** The key is equal for equal tags. It is short, because it is compared for each subscription and detection. */
export function tagsKeyOf(subscription: WithFilters): string {
  const known = keysOfAll.get(subscription);
  if (known !== undefined) return known;
  const tags = tagsOf(subscription);
  const key = tags.size === 0 ? "" : hash("sha256", JSON.stringify([...tags].sort()), "base64url");
  keysOfAll.set(subscription, key);
  return key;
}

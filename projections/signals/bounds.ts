// How many subscriptions hear of one data source. Each detection costs time for each of them, and the text of a state for each
// view that they have among them: without these bounds one caller could delay the signals of all others.
import type { SubscriptionSet } from "../../schemas/records/subscription.ts";
import { isOfChronicles, tagsKeyOf, thresholdsOf } from "./settings.ts";

export type Bounded = Pick<
  SubscriptionSet,
  "key" | "mode" | "signalType" | "filters" | "pixelProximityThreshold" | "geoProximityThresholdM" | "createdAt"
>;

/** Those with the same text count once; undefined: the subscription does not count. */
type TextOf = (subscription: Bounded) => string | undefined;

export interface Bound {
  /** What is counted, as callers read it. */
  readonly what: string;
  /** At one data source. */
  readonly most: number;
  /** Of them, with the credentials of one token: no caller takes the room of all. */
  readonly mostOfToken: number;
  readonly textOf: TextOf;
}

const viewOf: TextOf = (subscription) => {
  const { mode, signalType } = subscription;
  if (mode === "batch") return `batch ${thresholdsOf(subscription).key} ${tagsKeyOf(subscription)}`;
  return signalType === "zone_state" ? `zones ${tagsKeyOf(subscription)}` : undefined;
};

const proximityOf: TextOf = (subscription) =>
  subscription.mode === "batch" ? thresholdsOf(subscription).key : undefined;

/** A detection in a zone raises at most 1 000 signals with 64 different texts; a track has at most 16 sets of figures of the others near it. */
export const bounds: readonly Bound[] = [
  { what: "subscriptions", most: 1_000, mostOfToken: 250, textOf: ({ key }) => key },
  { what: "different lists of tags, in batches with thresholds", most: 64, mostOfToken: 16, textOf: viewOf },
  { what: "different pairs of proximity thresholds", most: 16, mostOfToken: 4, textOf: proximityOf },
];

/** Fewer subscriptions than this exceed nothing. */
const LEAST = Math.min(...bounds.map(({ most }) => most));

export interface Crowd {
  add(subscription: Bounded): void;
  /** One that was added. */
  remove(subscription: Bounded): void;
  /** The bound that the subscription would exceed. */
  exceeded(subscription: Bounded): Bound | undefined;
}

/** Subscriptions that are counted together: all of a data source, or those of one token. */
export function createCrowd(limit: "most" | "mostOfToken"): Crowd {
  const rows = bounds.map((bound) => ({ bound, counts: new Map<string, number>() }));

  function change(subscription: Bounded, by: 1 | -1): void {
    for (const { bound, counts } of rows) {
      const text = bound.textOf(subscription);
      if (text === undefined) continue;
      const count = (counts.get(text) ?? 0) + by;
      if (count === 0) counts.delete(text);
      else counts.set(text, count);
    }
  }

  return {
    add: (subscription) => change(subscription, 1),
    remove: (subscription) => change(subscription, -1),
    exceeded: (subscription) =>
      rows.find(({ bound, counts }) => {
        const text = bound.textOf(subscription);
        return text !== undefined && counts.size >= bound[limit] && !counts.has(text);
      })?.bound,
  };
}

/**
 * The ids of those of a data source's subscriptions that are beyond the bounds, the youngest. Several instances may have let
 * them in at the same moment, or a device has come into another site.
 */
export function beyondBounds(subscriptions: readonly Bounded[]): ReadonlySet<string> {
  const beyond = new Set<string>();
  if (subscriptions.length <= LEAST) return beyond;
  const crowd = createCrowd("most");
  for (const each of [...subscriptions].sort(byAge)) {
    if (isOfChronicles(each)) continue;
    if (crowd.exceeded(each) === undefined) crowd.add(each);
    else beyond.add(each.key);
  }
  return beyond;
}

const byAge = (a: Bounded, b: Bounded): number => a.createdAt - b.createdAt || (a.key < b.key ? -1 : 1);

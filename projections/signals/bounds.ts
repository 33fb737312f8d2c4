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
  /** At one data source: of the subscriptions that name it, of those to its site, and of those to all, so many each. */
  readonly most: number;
  /** Of these, with the credentials of one token: no caller takes the room of all. */
  readonly mostOfToken: number;
  readonly textOf: TextOf;
}

const WAYS_TO_HEAR = 3;

const viewOf: TextOf = (subscription) => {
  const { mode, signalType } = subscription;
  if (mode === "batch") return `batch ${thresholdsOf(subscription).key} ${tagsKeyOf(subscription)}`;
  return signalType === "zone_state" ? `zones ${tagsKeyOf(subscription)}` : undefined;
};

const proximityOf: TextOf = (subscription) =>
  subscription.mode === "batch" ? thresholdsOf(subscription).key : undefined;

const bounds: readonly Bound[] = [
  { what: "subscriptions", most: 500, mostOfToken: 250, textOf: ({ key }) => key },
  { what: "different lists of tags, in batches with thresholds", most: 32, mostOfToken: 16, textOf: viewOf },
  { what: "different pairs of proximity thresholds", most: 8, mostOfToken: 4, textOf: proximityOf },
];

const mostOfAll = ({ most }: Bound): number => most * WAYS_TO_HEAR;

/** Fewer subscriptions than this exceed nothing. */
const LEAST = Math.min(...bounds.map(mostOfAll));

export interface Crowd {
  add(subscription: Bounded): void;
  /** The bound that the subscription would exceed. */
  exceeded(subscription: Bounded): Bound | undefined;
}

/** Subscriptions that are counted together. */
export function createCrowd(limitOf: (bound: Bound) => number): Crowd {
  const rows = bounds.map((bound) => ({ bound, texts: new Set<string>() }));

  return {
    add(subscription) {
      for (const { bound, texts } of rows) {
        const text = bound.textOf(subscription);
        if (text !== undefined) texts.add(text);
      }
    },
    exceeded: (subscription) =>
      rows.find(({ bound, texts }) => {
        const text = bound.textOf(subscription);
        return text !== undefined && texts.size >= limitOf(bound) && !texts.has(text);
      })?.bound,
  };
}

/**
 * The ids of those of a data source's subscriptions that are beyond the bounds, the youngest: several instances have let them in
 * at the same moment.
 */
export function beyondBounds(subscriptions: readonly Bounded[]): ReadonlySet<string> {
  const beyond = new Set<string>();
  if (subscriptions.length <= LEAST) return beyond;
  const crowd = createCrowd(mostOfAll);
  for (const each of [...subscriptions].sort(byAge)) {
    if (isOfChronicles(each)) continue;
    if (crowd.exceeded(each) === undefined) crowd.add(each);
    else beyond.add(each.key);
  }
  return beyond;
}

const byAge = (a: Bounded, b: Bounded): number => a.createdAt - b.createdAt || (a.key < b.key ? -1 : 1);

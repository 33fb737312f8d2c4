// How many subscriptions hear of one data source. Each detection costs time for each of them, and the text of a state for each
// view that they have among them: without these bounds one caller could delay the signals of all others.
import type { SubscriptionSet } from "../../schemas/records/subscription.ts";
import { isDefault, isOfChronicles, tagsKeyOf, thresholdsOf } from "./settings.ts";

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
  /** Of these, with the credentials of one token: no caller takes more than a fourth; undefined: the installation says how many. */
  readonly mostOfToken: number | undefined;
  readonly textOf: TextOf;
}

const WAYS_TO_HEAR = 3;

/** All tags do not count: otherwise nobody could ask for what is usual once others have taken the room. */
const viewOf: TextOf = (subscription) => {
  const { mode, signalType } = subscription;
  const tags = tagsKeyOf(subscription);
  if (tags === "") return undefined;
  if (mode === "batch") return `batch ${thresholdsOf(subscription).key} ${tags}`;
  return signalType === "zone_state" ? `zones ${tags}` : undefined;
};

/** The pair that is usual does not count, for the same reason. */
const proximityOf: TextOf = (subscription) => {
  const thresholds = thresholdsOf(subscription);
  return subscription.mode === "batch" && !isDefault(thresholds) ? thresholds.key : undefined;
};

/** Signals for each of them cost the fold of a message of 10 detections 6 ms, those of zones that overlap 21 ms. */
export const MOST_SUBSCRIPTIONS = 200;

export const bounds: readonly Bound[] = [
  { what: "subscriptions", most: MOST_SUBSCRIPTIONS, mostOfToken: undefined, textOf: ({ key }) => key },
  { what: "different lists of tags, in batches with thresholds", most: 32, mostOfToken: 8, textOf: viewOf },
  { what: "different pairs of proximity thresholds", most: 8, mostOfToken: 2, textOf: proximityOf },
];

const mostOfAll = ({ most }: Bound): number => most * WAYS_TO_HEAR;

/** Fewer subscriptions than this exceed nothing. */
const LEAST = Math.min(...bounds.map(mostOfAll));

/**
 * The ids of those of a data source's subscriptions that are beyond the bounds, the youngest: several instances have let them in
 * at the same moment.
 */
export function beyondBounds(subscriptions: readonly Bounded[]): ReadonlySet<string> {
  const beyond = new Set<string>();
  if (subscriptions.length <= LEAST) return beyond;
  const rows = bounds.map((bound) => ({ bound, texts: new Set<string>() }));
  for (const each of [...subscriptions].sort(byAge)) {
    if (isOfChronicles(each)) continue;
    const own = rows.map(({ bound, texts }) => ({ text: bound.textOf(each), texts, most: mostOfAll(bound) }));
    const isBeyond = own.some(({ text, texts, most }) => text !== undefined && texts.size >= most && !texts.has(text));
    if (isBeyond) beyond.add(each.key);
    else for (const { text, texts } of own) if (text !== undefined) texts.add(text);
  }
  return beyond;
}

const byAge = (a: Bounded, b: Bounded): number => a.createdAt - b.createdAt || (a.key < b.key ? -1 : 1);

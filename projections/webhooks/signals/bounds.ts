// Bounds of the subscriptions that apply to one data source. Each detection costs time for each of them, and the text
// of a state for each distinct view among them: without these bounds one caller could delay the signals of all others.
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";
import { isDefault, isOfChronicles, tagsKeyOf, thresholdsOf } from "./settings.ts";

export type Bounded = Pick<
  SubscriptionSet,
  "key" | "mode" | "signalType" | "filters" | "pixelProximityThreshold" | "geoProximityThresholdM" | "createdAt"
>;

/**
 * Returns the text by which a bound counts the subscription. Subscriptions with the same text count once.
 * @returns undefined when the subscription does not count.
 */
type TextOf = (subscription: Bounded) => string | undefined;

export interface Bound {
  /** The name of the counted things in messages to callers. */
  readonly what: string;
  /**
   * Limit at one data source. It applies separately to three groups: the subscriptions that name the data source, those
   * that name its site, and those without such a filter.
   */
  readonly most: number;
  /**
   * Limit at one data source for the credentials of one token: at most a fourth of `most`. Undefined when a setting of
   * the installation gives the limit.
   */
  readonly mostOfToken: number | undefined;
  readonly textOf: TextOf;
}

const WAYS_TO_SUBSCRIBE = 3;

/**
 * The view of all tags does not count; otherwise nobody could subscribe to this usual view once others have used up the
 * limit.
 */
const viewOf: TextOf = (subscription) => {
  const { mode, signalType } = subscription;
  const tags = tagsKeyOf(subscription);
  if (tags === "") return undefined;
  if (mode === "batch") return `batch ${thresholdsOf(subscription).key} ${tags}`;
  return signalType === "zone_state" ? `zones ${tags}` : undefined;
};

/** The usual pair of thresholds does not count, for the same reason. */
const proximityOf: TextOf = (subscription) => {
  const thresholds = thresholdsOf(subscription);
  return subscription.mode === "batch" && !isDefault(thresholds) ? thresholds.key : undefined;
};

/**
 * Limit of subscriptions. Measured with this many: the signals of a message with 10 detections add 6 ms to its fold, or
 * 21 ms where zones overlap.
 */
export const MOST_SUBSCRIPTIONS = 200;

export const bounds: readonly Bound[] = [
  { what: "subscriptions", most: MOST_SUBSCRIPTIONS, mostOfToken: undefined, textOf: ({ key }) => key },
  { what: "different lists of tags, in batches with thresholds", most: 32, mostOfToken: 8, textOf: viewOf },
  { what: "different pairs of proximity thresholds", most: 8, mostOfToken: 2, textOf: proximityOf },
];

const mostOfAll = ({ most }: Bound): number => most * WAYS_TO_SUBSCRIBE;

/** This number of subscriptions, or fewer, cannot exceed any bound. */
const LEAST = Math.min(...bounds.map(mostOfAll));

/**
 * Returns the ids of a data source's subscriptions that exceed the bounds: the youngest ones. There may be some,
 * because several instances may have accepted them at the same moment.
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

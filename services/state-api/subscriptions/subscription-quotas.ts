// Counts the subscriptions of each place: a data source, a site, or everywhere. A subscription counts at the data
// sources that it names, or else at its sites, or else everywhere. These three are counted separately, so that neither
// a device in another site nor a subscription to everything takes the quota of those that name a data source. The
// counts are kept up to date, because one request may name as many places as a list holds.
import { bounds } from "../../../projections/webhooks/signals/bounds.ts";
import { isOfChronicles } from "../../../projections/webhooks/signals/settings.ts";
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";

export interface SubscriptionQuotas {
  /** Replaces the counted version of the subscription; with undefined it is no longer counted. */
  put(id: string, subscription: SubscriptionSet | undefined): void;
  /**
   * Checks the quotas of all places of the subscription.
   * @returns the reason for the refusal, in words for the caller; undefined when no quota is exceeded.
   */
  refusal(wanted: SubscriptionSet): string | undefined;
}

/** Counts of a place, by the names of claims. */
type Counts = Map<string, number>;

interface Claim {
  readonly most: number;
  readonly what: string;
  /** Name under which a place counts how many different texts its subscriptions have. */
  readonly different: string;
  /** Name under which a place counts the subscriptions with the same text. */
  readonly same: string;
}

/** `mostOfToken` is the maximum number of subscriptions at a place with the credentials of one token. */
export function createSubscriptionQuotas(mostOfToken: number): SubscriptionQuotas {
  const claimsOf = (subscription: SubscriptionSet) => claimsWith(subscription, mostOfToken);
  const counted = new Map<string, SubscriptionSet>();
  const places = new Map<string, Counts>();

  function edit(subscription: SubscriptionSet | undefined, by: 1 | -1): void {
    if (subscription === undefined || isOfChronicles(subscription)) return;
    const claims = claimsOf(subscription);
    for (const place of placesOf(subscription)) {
      const counts: Counts = places.get(place) ?? new Map();
      for (const claim of claims) count(counts, claim, by);
      if (counts.size === 0) places.delete(place);
      else places.set(place, counts);
    }
  }

  function put(id: string, subscription: SubscriptionSet | undefined): void {
    edit(counted.get(id), -1);
    edit(subscription, 1);
    if (subscription === undefined) counted.delete(id);
    else counted.set(id, subscription);
  }

  function exceeded(wanted: SubscriptionSet): Claim | undefined {
    const claims = claimsOf(wanted);
    for (const place of placesOf(wanted)) {
      const counts = places.get(place);
      const claim = counts && claims.find((each) => isFull(counts, each));
      if (claim !== undefined) return claim;
    }
    return undefined;
  }

  return {
    put,
    refusal(wanted) {
      if (isOfChronicles(wanted)) return undefined;
      const own = counted.get(wanted.key);
      put(wanted.key, undefined);
      const claim = exceeded(wanted);
      put(wanted.key, own);
      return claim && textOf(claim);
    },
  };
}

const textOf = ({ most, what }: Claim): string =>
  `a data source may have ${most} ${what}: name fewer data sources, or delete subscriptions that are not needed`;

/** Control characters separate the parts, because no id contains one. */
const claimsWith = (subscription: SubscriptionSet, mostOfAnyToken: number): readonly Claim[] =>
  bounds.flatMap(({ what, most, mostOfToken = mostOfAnyToken, textOf }, row) => {
    const text = textOf(subscription);
    if (text === undefined) return [];
    const ofToken = `${row}\u0000${subscription.tokenId}`;
    return [
      { most, what, different: `${row}`, same: `${row}\u0000\u0000${text}` },
      {
        most: mostOfToken,
        what: `${what} with the credentials of one token`,
        different: ofToken,
        same: `${ofToken}\u0000\u0000${text}`,
      },
    ];
  });

const isFull = (counts: Counts, { most, different, same }: Claim): boolean =>
  (counts.get(different) ?? 0) >= most && !counts.has(same);

function count(counts: Counts, { different, same }: Claim, by: 1 | -1): void {
  const isKnown = counts.has(same);
  add(counts, same, by);
  if (isKnown !== counts.has(same)) add(counts, different, by);
}

function add(counts: Counts, name: string, by: 1 | -1): void {
  const sum = (counts.get(name) ?? 0) + by;
  if (sum === 0) counts.delete(name);
  else counts.set(name, sum);
}

const EVERYWHERE: readonly string[] = [""];

/**
 * Returns the places at which the subscription counts. NUL marks a site, because a data source may have the same id. An
 * id is never empty, so "" is free for everywhere.
 */
function placesOf({ filters: { dataSourceIds, siteIds } }: SubscriptionSet): readonly string[] {
  if (dataSourceIds.length > 0) return dataSourceIds;
  return siteIds.length === 0 ? EVERYWHERE : siteIds.map((id) => `\u0000${id}`);
}

// Whether there is room for one more subscription. It hears of the data sources that it names, or of those of its sites, or of
// all: these three are counted apart, so that neither a device in another site nor a subscription to all takes the room of those
// that name a data source.
import { type Bound, createCrowd } from "../../../projections/signals/bounds.ts";
import { isOfChronicles } from "../../../projections/signals/settings.ts";
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";

/** Why there is no room, for the caller; undefined: there is. */
export function refusalOf(wanted: SubscriptionSet, others: Iterable<SubscriptionSet>): string | undefined {
  if (isOfChronicles(wanted)) return undefined;
  const groups = groupsWith(wanted, others);
  const isOwn = ({ tokenId }: SubscriptionSet): boolean => tokenId === wanted.tokenId;
  for (const group of groups) {
    const all = exceeded(wanted, group, ({ most }) => most);
    if (all !== undefined) return textOf(`${all.most} ${all.what}`);
    const own = exceeded(wanted, group.filter(isOwn), ({ mostOfToken }) => mostOfToken);
    if (own !== undefined) return textOf(`${own.mostOfToken} ${own.what} with the credentials of one token`);
  }
  return undefined;
}

const textOf = (most: string): string =>
  `a data source may have ${most}: name fewer data sources, or delete subscriptions that are not needed`;

function exceeded(
  wanted: SubscriptionSet,
  others: readonly SubscriptionSet[],
  limitOf: (bound: Bound) => number,
): Bound | undefined {
  const crowd = createCrowd(limitOf);
  for (const each of others) crowd.add(each);
  return crowd.exceeded(wanted);
}

const EVERYWHERE: readonly string[] = [""];

/** Data sources or sites; no id is empty, or contains a control character. */
function placesOf({ filters: { dataSourceIds, siteIds } }: SubscriptionSet): readonly string[] {
  if (dataSourceIds.length > 0) return dataSourceIds;
  return siteIds.length === 0 ? EVERYWHERE : siteIds.map((id) => `\u0000${id}`);
}

/** For each place of `wanted` the others there. */
function groupsWith(wanted: SubscriptionSet, others: Iterable<SubscriptionSet>): Iterable<readonly SubscriptionSet[]> {
  const groups = new Map<string, SubscriptionSet[]>(placesOf(wanted).map((place) => [place, []]));
  for (const each of others) {
    if (isOfChronicles(each)) continue;
    for (const place of placesOf(each)) groups.get(place)?.push(each);
  }
  return groups.values();
}

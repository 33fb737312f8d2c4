// Whether the data sources have room for one more subscription. It hears of those that it names, or of those of its sites, or
// of all.
import { type Bound, type Crowd, createCrowd } from "../../../projections/signals/bounds.ts";
import { isOfChronicles } from "../../../projections/signals/settings.ts";
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";

/** The data sources of a site. */
type SourcesOf = (siteId: string) => readonly string[];
/** Data sources; and sites, because other data sources may come into them. undefined = all. */
type PlacesOf = (subscription: SubscriptionSet) => readonly string[] | undefined;

interface Sharing {
  readonly everywhere: readonly SubscriptionSet[];
  /** For each place, those that do not hear of all data sources. */
  readonly at: Iterable<readonly SubscriptionSet[]>;
}

/** Why there is no room, for the caller; undefined: there is. */
export function refusalOf(
  wanted: SubscriptionSet,
  others: Iterable<SubscriptionSet>,
  sourcesOf: SourcesOf,
): string | undefined {
  if (isOfChronicles(wanted)) return undefined;
  const placesOf = createPlacesOf(sourcesOf);
  const heard = [...others].filter((each) => !isOfChronicles(each));
  const ofToken = heard.filter(({ tokenId }) => tokenId === wanted.tokenId);
  const ofAll = exceeded(createCrowd("most"), wanted, share(wanted, heard, placesOf));
  if (ofAll !== undefined) return textOf(ofAll.what, ofAll.most, "");
  const own = exceeded(createCrowd("mostOfToken"), wanted, share(wanted, ofToken, placesOf));
  return own && textOf(own.what, own.mostOfToken, " with the credentials of one token");
}

const textOf = (what: string, most: number, whose: string): string =>
  `a data source may have ${most} ${what}${whose}: name fewer data sources, or delete subscriptions that are not needed`;

/** A site is looked up once, however many subscriptions name it. */
function createPlacesOf(sourcesOf: SourcesOf): PlacesOf {
  const known = new Map<string, readonly string[]>();
  function ofSite(siteId: string): readonly string[] {
    const places = known.get(siteId) ?? [`site ${siteId}`, ...sourcesOf(siteId).map(ofSource)];
    known.set(siteId, places);
    return places;
  }
  const ofSource = (dataSourceId: string): string => `data source ${dataSourceId}`;
  return ({ filters: { dataSourceIds, siteIds } }) => {
    if (dataSourceIds.length > 0) return dataSourceIds.map(ofSource);
    return siteIds.length === 0 ? undefined : siteIds.flatMap(ofSite);
  };
}

function share(wanted: SubscriptionSet, others: readonly SubscriptionSet[], placesOf: PlacesOf): Sharing {
  const places = placesOf(wanted);
  const concerned = places && new Set(places);
  const everywhere: SubscriptionSet[] = [];
  const at = new Map<string, SubscriptionSet[]>();
  for (const each of others) {
    const its = placesOf(each);
    if (its === undefined) everywhere.push(each);
    for (const place of new Set(its)) {
      if (concerned?.has(place) === false) continue;
      const there = at.get(place);
      if (there === undefined) at.set(place, [each]);
      else there.push(each);
    }
  }
  return { everywhere, at: at.values() };
}

/** The bound that `wanted` would exceed somewhere. */
function exceeded(crowd: Crowd, wanted: SubscriptionSet, { everywhere, at }: Sharing): Bound | undefined {
  for (const each of everywhere) crowd.add(each);
  const bound = crowd.exceeded(wanted);
  if (bound !== undefined) return bound;
  for (const there of at) {
    for (const each of there) crowd.add(each);
    const boundThere = crowd.exceeded(wanted);
    for (const each of there) crowd.remove(each);
    if (boundThere !== undefined) return boundThere;
  }
  return undefined;
}

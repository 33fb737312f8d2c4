// The subscriptions of a process, for the live fold.
import type { Subscription, Subscriptions as View } from "../subscriptions/subscriptions.ts";
import { isOfChronicles, thresholdsOf } from "./settings.ts";
import { type SourceSubscribers, type Subscribers, subscribersOf } from "./subscribers.ts";

export interface LiveSubscriptions extends SourceSubscribers {
  /** Must be called when the data source may have moved to another site. */
  siteChanged(dataSourceId: string): void;
}

export interface LiveSubscriptionsOptions {
  /** The view must still be empty. */
  readonly view: Pick<View, "matching" | "onChange">;
  /** The site of a data source's device. Null when there is none. */
  readonly siteOf: (dataSourceId: string) => string | null;
  /** Called when the subscriptions beyond the bounds of the data source have changed. They get none of its signals. */
  readonly onLeftOut: (dataSourceId: string, ids: readonly string[]) => void;
}

const NOBODY = "nobody";

export function createLiveSubscriptions({ view, siteOf, onLeftOut }: LiveSubscriptionsOptions): LiveSubscriptions {
  /** The subscribers by data source. An entry is dropped when a change concerns its data source. */
  const known = new Map<string, Subscribers | typeof NOBODY>();
  const leftOut = new Map<string, string>();
  /** Ids of the active subscriptions. */
  const active = new Set<string>();

  function find(dataSourceId: string): Subscribers | undefined {
    const siteId = siteOf(dataSourceId);
    const wanted = (["track_state", "zone_state"] as const).flatMap((signalType) =>
      view.matching(signalType, dataSourceId).filter(({ filters: { siteIds } }) => isIn(siteId, siteIds)),
    );
    const subscribers = subscribersOf(wanted);
    reportLeftOut(dataSourceId, subscribers?.leftOut ?? []);
    return subscribers;
  }

  function reportLeftOut(dataSourceId: string, ids: readonly string[]): void {
    const text = JSON.stringify(ids);
    if (ids.length > 0 && leftOut.get(dataSourceId) !== text) onLeftOut(dataSourceId, ids);
    if (ids.length > 0) leftOut.set(dataSourceId, text);
    else leftOut.delete(dataSourceId);
  }

  /**
   * Forgets the subscribers of the subscription's data sources only. Otherwise a caller that changes its subscriptions
   * all the time would have the subscribers of all data sources made anew.
   */
  function forget(subscription: Subscription | undefined): void {
    if (subscription === undefined) return;
    const { dataSourceIds } = subscription.filters;
    if (dataSourceIds.length === 0) known.clear();
    for (const dataSourceId of dataSourceIds) known.delete(dataSourceId);
  }

  view.onChange((id, before, after) => {
    if (subscriberTextOf(before) === subscriberTextOf(after)) return;
    if (subscriberTextOf(after) === undefined) active.delete(id);
    else active.add(id);
    forget(before);
    forget(after);
  });

  return {
    siteChanged: (dataSourceId) => void known.delete(dataSourceId),
    of(dataSourceId) {
      if (active.size === 0) return undefined;
      let subscribers = known.get(dataSourceId);
      if (subscribers === undefined) {
        subscribers = find(dataSourceId) ?? NOBODY;
        known.set(dataSourceId, subscribers);
      }
      return subscribers === NOBODY ? undefined : subscribers;
    },
  };
}

/**
 * Returns a text that changes exactly when a change of the subscription concerns the fold. A POST with the same members
 * makes another version of the subscription, but must cause no work at its data sources.
 * @returns undefined when the subscription gets no signals of tracks or zones.
 */
function subscriberTextOf(subscription: Subscription | undefined): string | undefined {
  if (subscription === undefined || subscription.stopped !== undefined || isOfChronicles(subscription))
    return undefined;
  const { createdAt, mode, signalType, filters, zoneEmitMode, heartbeatSeconds } = subscription;
  const thresholds = thresholdsOf(subscription).key;
  return JSON.stringify([createdAt, mode, signalType, filters, zoneEmitMode, heartbeatSeconds, thresholds]);
}

const isIn = (siteId: string | null, siteIds: readonly string[]): boolean =>
  siteIds.length === 0 || (siteId !== null && siteIds.includes(siteId));

// The subscriptions of a process, as the live fold asks for them.
import type { Subscription, Subscriptions as View } from "../subscriptions/subscriptions.ts";
import { type Listeners, listenersOf, type Subscriptions } from "./listeners.ts";
import { isOfChronicles, thresholdsOf } from "./settings.ts";

export interface LiveSubscriptions extends Subscriptions {
  /** The data source may have come into another site. */
  siteChanged(dataSourceId: string): void;
}

export interface LiveSubscriptionsOptions {
  /** Still empty. */
  readonly view: Pick<View, "matching" | "onChange">;
  /** The site of a data source's device; null = none. */
  readonly siteOf: (dataSourceId: string) => string | null;
  /** These subscriptions are beyond the bounds of the data source: it tells them nothing. Called when they have changed. */
  readonly onLeftOut: (dataSourceId: string, ids: readonly string[]) => void;
}

const NOBODY = "nobody";

export function createLiveSubscriptions({ view, siteOf, onLeftOut }: LiveSubscriptionsOptions): LiveSubscriptions {
  /** Of the data sources asked about since the last change that concerns them. */
  const known = new Map<string, Listeners | typeof NOBODY>();
  const leftOut = new Map<string, string>();
  /** Active ones. */
  const heard = new Set<string>();

  function find(dataSourceId: string): Listeners | undefined {
    const siteId = siteOf(dataSourceId);
    const wanted = (["track_state", "zone_state"] as const).flatMap((signalType) =>
      view.matching(signalType, dataSourceId).filter(({ filters: { siteIds } }) => isIn(siteId, siteIds)),
    );
    const listeners = listenersOf(wanted);
    tellLeftOut(dataSourceId, listeners?.leftOut ?? []);
    return listeners;
  }

  function tellLeftOut(dataSourceId: string, ids: readonly string[]): void {
    const text = JSON.stringify(ids);
    if (ids.length > 0 && leftOut.get(dataSourceId) !== text) onLeftOut(dataSourceId, ids);
    if (ids.length > 0) leftOut.set(dataSourceId, text);
    else leftOut.delete(dataSourceId);
  }

  /** Otherwise a caller that changes its subscriptions all the time would have those of all data sources made anew. */
  function forget(subscription: Subscription | undefined): void {
    if (subscription === undefined) return;
    const { dataSourceIds } = subscription.filters;
    if (dataSourceIds.length === 0) known.clear();
    for (const dataSourceId of dataSourceIds) known.delete(dataSourceId);
  }

  view.onChange((id, before, after) => {
    if (heardAs(before) === heardAs(after)) return;
    if (heardAs(after) === undefined) heard.delete(id);
    else heard.add(id);
    forget(before);
    forget(after);
  });

  return {
    siteChanged: (dataSourceId) => void known.delete(dataSourceId),
    of(dataSourceId) {
      if (heard.size === 0) return undefined;
      let listeners = known.get(dataSourceId);
      if (listeners === undefined) {
        listeners = find(dataSourceId) ?? NOBODY;
        known.set(dataSourceId, listeners);
      }
      return listeners === NOBODY ? undefined : listeners;
    },
  };
}

/**
 * Differs if something else is to be heard of; undefined: nothing is. A POST of the same makes another version, but no other
 * listener: otherwise it would cost work at every data source.
 */
function heardAs(subscription: Subscription | undefined): string | undefined {
  if (subscription === undefined || subscription.stopped !== undefined || isOfChronicles(subscription))
    return undefined;
  const { createdAt, mode, signalType, filters, zoneEmitMode, heartbeatSeconds } = subscription;
  const thresholds = thresholdsOf(subscription).key;
  return JSON.stringify([createdAt, mode, signalType, filters, zoneEmitMode, heartbeatSeconds, thresholds]);
}

const isIn = (siteId: string | null, siteIds: readonly string[]): boolean =>
  siteIds.length === 0 || (siteId !== null && siteIds.includes(siteId));

// The subscriptions of a process, as the live fold asks for them.
import type { Subscriptions as View } from "../subscriptions/subscriptions.ts";
import { type Listeners, listenersOf, type Subscriptions } from "./listeners.ts";

export interface LiveSubscriptions extends Subscriptions {
  /** Data sources have come into other sites. */
  sitesChanged(): void;
}

const NOBODY = "nobody";

/** `siteOf`: the site of a data source's device; null = none. */
export function createLiveSubscriptions(
  view: Pick<View, "active" | "matching" | "onChange">,
  siteOf: (dataSourceId: string) => string | null,
): LiveSubscriptions {
  /** Of the data sources asked about since the last change; null = nobody listens at all; undefined = not known. */
  let known: Map<string, Listeners | typeof NOBODY> | null | undefined;

  const forget = (): void => {
    known = undefined;
  };

  function find(dataSourceId: string): Listeners | undefined {
    const siteId = siteOf(dataSourceId);
    const wanted = (["track_state", "zone_state"] as const).flatMap((signalType) =>
      view.matching(signalType, dataSourceId).filter(({ filters: { siteIds } }) => isIn(siteId, siteIds)),
    );
    return listenersOf(wanted);
  }

  view.onChange(forget);
  return {
    sitesChanged: forget,
    of(dataSourceId) {
      if (known === undefined) known = isHeard(view) ? new Map() : null;
      if (known === null) return undefined;
      let listeners = known.get(dataSourceId);
      if (listeners === undefined) {
        listeners = find(dataSourceId) ?? NOBODY;
        known.set(dataSourceId, listeners);
      }
      return listeners === NOBODY ? undefined : listeners;
    },
  };
}

const isHeard = (view: Pick<View, "active">): boolean =>
  view.active().some(({ signalType }) => signalType !== "activity_chronicle");

const isIn = (siteId: string | null, siteIds: readonly string[]): boolean =>
  siteIds.length === 0 || (siteId !== null && siteIds.includes(siteId));

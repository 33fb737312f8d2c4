// A zone as all subscriptions that want the same tags see it. They share its parts, so that many subscriptions cost
// little more than one.
import { hash } from "node:crypto";
import type { Fold, LiveZone } from "../../live/state.ts";
import { countWork } from "./count-work.ts";
import { once } from "./raise.ts";
import type { ZoneChange } from "./signal-context.ts";
import { tracksIn, zoneText } from "./state-text.ts";
import type { ZoneSubscriber } from "./subscribers.ts";

export interface ZoneView {
  /** Number of active tracks with the tags. */
  readonly count: number;
  /** The number of tracks of each tag. */
  readonly composition: () => string;
  readonly text: () => string;
}

export type ZoneViews = (change: ZoneChange) => ZoneView;

/**
 * Returns the views of the zone at the present moment. Subscriptions that want the same tags share one, because they
 * have seen the same changes.
 */
export function createZoneViews(fold: Fold, zone: LiveZone): ZoneViews {
  const views = new Map<string, ZoneView>();

  function make({ subscriber, update }: ZoneChange): ZoneView {
    countWork(fold, zone.activeTracks.size);
    const count = countIn(fold, zone, subscriber);
    return {
      count,
      composition: once(() => compositionOf(fold, zone, subscriber)),
      text: once(() => zoneText(fold, zone, { subscriber, count, update })),
    };
  }

  return (change) => {
    const { tagsKey } = change.subscriber;
    const view = views.get(tagsKey) ?? make(change);
    views.set(tagsKey, view);
    return view;
  };
}

function countIn(fold: Fold, zone: LiveZone, subscriber: ZoneSubscriber): number {
  if (subscriber.tags.size === 0) return zone.activeTracks.size;
  let count = 0;
  for (const _ of tracksIn(fold, zone, subscriber)) count++;
  return count;
}

/**
 * The composition is stored for each subscription, so its length is bounded: a zone with many different tags must not
 * fill the store.
 */
const MOST_CHARACTERS = 64;

/** Returns the JSON of [tag, count], sorted by tag, or the hash of a longer text. */
function compositionOf(fold: Fold, zone: LiveZone, subscriber: ZoneSubscriber): string {
  const counts = new Map<string, number>();
  for (const { tag } of tracksIn(fold, zone, subscriber)) {
    const lower = tag.toLowerCase();
    counts.set(lower, (counts.get(lower) ?? 0) + 1);
  }
  const text = JSON.stringify([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  return text.length <= MOST_CHARACTERS ? text : hash("sha256", text, "base64url");
}

// A zone as all subscriptions that want the same tags see it. They share its parts, so that many subscriptions cost little more
// than one.
import { hash } from "node:crypto";
import type { Fold, LiveZone } from "../live/state.ts";
import type { Change } from "./frame.ts";
import type { ZoneListener } from "./listeners.ts";
import { look } from "./look.ts";
import { once } from "./raise.ts";
import { tracksIn, zoneText } from "./state-text.ts";

export interface ZoneView {
  /** Active tracks that are wanted. */
  readonly count: number;
  /** How many there are of each tag. */
  readonly composition: () => string;
  readonly text: () => string;
}

export type ZoneViews = (change: Change) => ZoneView;

/** Of the present moment. Subscriptions that want the same tags have seen the same changes. */
export function createZoneViews(fold: Fold, zone: LiveZone): ZoneViews {
  const views = new Map<string, ZoneView>();

  function make({ listener, update }: Change): ZoneView {
    look(fold, zone.activeTracks.size);
    const count = countIn(fold, zone, listener);
    return {
      count,
      composition: once(() => compositionOf(fold, zone, listener)),
      text: once(() => zoneText(fold, zone, { listener, count, update })),
    };
  }

  return (change) => {
    const { tagsKey } = change.listener;
    const view = views.get(tagsKey) ?? make(change);
    views.set(tagsKey, view);
    return view;
  };
}

function countIn(fold: Fold, zone: LiveZone, listener: ZoneListener): number {
  if (listener.tags.size === 0) return zone.activeTracks.size;
  let count = 0;
  for (const _ of tracksIn(fold, zone, listener)) count++;
  return count;
}

/** It is kept for each subscription: a zone full of different tags must not fill the store. */
const MOST_CHARACTERS = 64;

/** JSON of [tag, count], by tag; of a long one the hash. */
function compositionOf(fold: Fold, zone: LiveZone, listener: ZoneListener): string {
  const counts = new Map<string, number>();
  for (const { tag } of tracksIn(fold, zone, listener)) {
    const lower = tag.toLowerCase();
    counts.set(lower, (counts.get(lower) ?? 0) + 1);
  }
  const text = JSON.stringify([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  return text.length <= MOST_CHARACTERS ? text : hash("sha256", text, "base64url");
}

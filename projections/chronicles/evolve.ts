// Folds an event into a chronicle in memory. The history folds the same events by ranks
// (history/rows/chronicle-changes.ts).
import type { ActivityMediaAdded, Clip } from "../../schemas/chronicles/activity.ts";
import type { ChronicleKind, ChronicleType } from "../../schemas/chronicles/kinds.ts";
import type { Typed } from "../../schemas/events.ts";
import type { Entity } from "../catalog/define-entity.ts";
import { evolve } from "../catalog/evolve.ts";

export type ChronicleEvent = Typed<ChronicleType>;

const kinds: { readonly [T in ChronicleType]: ChronicleKind } = {
  ActivityChronicleChanged: "activityChronicle",
  ActivityMediaAdded: "activityChronicle",
  EventChronicleChanged: "eventChronicle",
  SummaryChronicleChanged: "summaryChronicle",
};

export const kindOfEvent = (type: ChronicleType): ChronicleKind => kinds[type];

/**
 * Only the first creation counts. A deletion is final, because an id is used once: the caller remembers which ids are
 * deleted.
 */
export function evolveChronicle<Fields>(
  before: Entity<Fields> | undefined,
  { type, event }: ChronicleEvent,
): Entity<Fields> | undefined {
  if (type === "ActivityMediaAdded") return before && withMedia(before, event);
  const after = evolve<Fields>(before, event);
  return after === before ? before : after && withMediaOnce(after);
}

interface Media {
  readonly imageIds?: readonly string[] | null;
  readonly clips?: readonly Clip[] | null;
}

function withMedia<Fields>(before: Entity<Fields> & Media, { at, imageIds, clips }: ActivityMediaAdded) {
  return {
    ...before,
    ...(imageIds.length === 0 ? {} : { imageIds: appended(before.imageIds, imageIds, (id) => id) }),
    ...(clips.length === 0 ? {} : { clips: appended(before.clips, clips, keyOfClip) }),
    updatedAt: Math.max(before.updatedAt, at),
  };
}

/** Removes repeated media, as the history does. */
function withMediaOnce<Fields>(chronicle: Entity<Fields> & Media): Entity<Fields> {
  const { imageIds, clips } = chronicle;
  return {
    ...chronicle,
    ...(imageIds && { imageIds: [...new Set(imageIds)] }),
    ...(clips && { clips: [...new Map(clips.map((each) => [keyOfClip(each), each])).values()] }),
  };
}

/** Appends items. Each is in the result once; an item that is added again moves to the end, as in the history. */
export function appended<T>(
  before: readonly T[] | null | undefined,
  added: readonly T[],
  keyOf: (each: T) => string,
): readonly T[] {
  const keys = new Set(added.map(keyOf));
  const byKey = new Map<string, T>();
  for (const each of before ?? []) {
    const key = keyOf(each);
    if (!keys.has(key) && !byKey.has(key)) byKey.set(key, each);
  }
  for (const each of added) {
    byKey.delete(keyOf(each));
    byKey.set(keyOf(each), each);
  }
  return [...byKey.values()];
}

export const keyOfClip = ({ dataSourceId, startTime, endTime }: Clip): string =>
  `${startTime} ${endTime} ${dataSourceId}`;

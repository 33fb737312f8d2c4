// Which subscriptions are told of a zone, and what has changed in it for each.
import { isRestDue, type Steps } from "../live/pace.ts";
import type { Fold, LiveZone, Track } from "../live/state.ts";
import type { ZoneUpdate } from "../live/views.ts";
import { type Change, tellZone } from "./frame.ts";
import type { Listener } from "./listeners.ts";
import { look } from "./look.ts";
import { hears, wants } from "./raise.ts";
import { activeZones } from "./state-text.ts";

/** What happened to a track. */
export interface Step {
  /** The zones that it was in. */
  readonly before: readonly LiveZone[];
  readonly isDetection: boolean;
  readonly tagBefore: string;
}

export function* tellZones(fold: Fold, track: Track, step: Step): Steps {
  const before = new Set(step.before);
  const after = new Set(activeZones(track));
  if (before.size + after.size === 0) return;
  const inside = step.isDetection ? zonesInside(track) : NONE;
  const zones = [...new Set([...before, ...after])].sort((a, b) =>
    a.definition.zoneId < b.definition.zoneId ? -1 : 1,
  );
  const at = step.isDetection ? track.lastSeen : Number.NaN;
  for (const zone of zones) {
    const was = before.has(zone);
    const is = after.has(zone);
    const isSeenInside = was && is && inside.has(zone);
    const changes = changesOf(fold, track, zone, { ...step, was, is, isSeenInside });
    if (changes.length > 0) yield* tellZone(fold, zone, changes, at);
    else if (isRestDue(fold)) yield;
  }
}

const NONE: ReadonlySet<LiveZone> = new Set();

/** Not within an exit delay, and the detection has a polygon. */
const zonesInside = ({ intersections, lastSeen }: Track): ReadonlySet<LiveZone> =>
  new Set(intersections.filter(({ lastInside }) => lastInside === lastSeen).map(({ zone }) => zone));

interface Passage extends Step {
  readonly was: boolean;
  readonly is: boolean;
  readonly isSeenInside: boolean;
}

function changesOf(fold: Fold, track: Track, zone: LiveZone, passage: Passage): Change[] {
  const { was, is, isSeenInside } = passage;
  const listeners = fold.listeners?.zones ?? [];
  const tagBefore = passage.tagBefore.toLowerCase();
  const tag = track.tag.toLowerCase();
  const update = updateBy(track, is ? track.lastSeen : zone.updatedAt);
  const changes: Change[] = [];
  look(fold, listeners.length);
  for (const listener of listeners) {
    const wasHere = was && wants(listener, tagBefore);
    const isHere = is && wants(listener, tag);
    if ((!wasHere && !isHere) || !hears(fold, listener) || !isOf(listener, zone)) continue;
    const net = Number(isHere) - Number(wasHere);
    const isRenamed = tag !== tagBefore && listener.heartbeatMs !== null;
    if (net !== 0 || isSeenInside || isRenamed) changes.push({ listener, net, update });
  }
  return changes;
}

/** These tracks have left the zone, because it was deleted, switched off or redrawn; all at once, so it is told once. */
export function* tellCut(fold: Fold, zone: LiveZone, left: readonly Track[]): Steps {
  const newest = left.at(-1);
  if (fold.listeners === undefined || newest === undefined) return;
  const tags = left.map(({ tag }) => tag.toLowerCase());
  const update = updateBy(newest, zone.updatedAt);
  const changes: Change[] = [];
  /** By the tags that a subscription wants. */
  const counts = new Map<string, number>();
  for (const listener of fold.listeners.zones) {
    const count = counts.get(listener.tagsKey) ?? countWanted(tags, listener);
    counts.set(listener.tagsKey, count);
    if (count === 0 || !hears(fold, listener) || !isOf(listener, zone)) continue;
    changes.push({ listener, net: -count, update });
  }
  yield* tellZone(fold, zone, changes, Number.NaN);
}

const countWanted = (tags: readonly string[], listener: Listener): number =>
  tags.filter((tag) => wants(listener, tag)).length;

const isOf = ({ zoneIds }: { readonly zoneIds: ReadonlySet<string> }, { definition }: LiveZone): boolean =>
  zoneIds.size === 0 || zoneIds.has(definition.zoneId);

const updateBy = ({ trackId, tag }: Track, updatedAt: number): ZoneUpdate => ({
  updatedAt,
  appliedAt: undefined,
  triggerTrackId: trackId,
  triggerTag: tag,
});

// Finds the subscriptions that get signals of a zone, and the changes in it for each.

import { activeZones } from "../../live/intersections.ts";
import { isRestDue, type Steps } from "../../live/pace.ts";
import type { LiveZone, Track } from "../../live/state.ts";
import type { ZoneUpdate } from "../../live/views.ts";
import { countWork } from "./count-work.ts";
import { raiseZone } from "./frame.ts";
import { isSubscribedAt, wants } from "./raise.ts";
import type { SignalContext, ZoneChange } from "./signal-context.ts";
import type { SignalSubscriber } from "./subscribers.ts";

/** A detection of a track, its end or a new tag. */
export interface TrackStep {
  /** The zones that the track was in. */
  readonly before: readonly LiveZone[];
  readonly isDetection: boolean;
  readonly tagBefore: string;
}

export function* raiseZones(context: SignalContext, track: Track, step: TrackStep): Steps {
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
    const changes = changesOf(context, track, zone, { ...step, was, is, isSeenInside });
    if (changes.length > 0) yield* raiseZone(context, zone, changes, at);
    else if (isRestDue(context.fold)) yield;
  }
}

const NONE: ReadonlySet<LiveZone> = new Set();

/**
 * Returns the zones that the detection is in, without those that the track may be leaving (exit delay). There are none
 * when the detection has no polygon.
 */
const zonesInside = ({ intersections, lastSeen }: Track): ReadonlySet<LiveZone> =>
  new Set(intersections.filter(({ lastInside }) => lastInside === lastSeen).map(({ zone }) => zone));

interface Passage extends TrackStep {
  readonly was: boolean;
  readonly is: boolean;
  readonly isSeenInside: boolean;
}

function changesOf({ fold, subscribers }: SignalContext, track: Track, zone: LiveZone, passage: Passage): ZoneChange[] {
  const { was, is, isSeenInside } = passage;
  const tagBefore = passage.tagBefore.toLowerCase();
  const tag = track.tag.toLowerCase();
  const update = updateBy(track, is ? track.lastSeen : zone.updatedAt);
  const changes: ZoneChange[] = [];
  countWork(fold, subscribers.zones.length);
  for (const subscriber of subscribers.zones) {
    const wasHere = was && wants(subscriber, tagBefore);
    const isHere = is && wants(subscriber, tag);
    if ((!wasHere && !isHere) || !isSubscribedAt(fold, subscriber) || !isOf(subscriber, zone)) continue;
    const net = Number(isHere) - Number(wasHere);
    const isRenamed = tag !== tagBefore && subscriber.heartbeatMs !== null;
    if (net !== 0 || isSeenInside || isRenamed) changes.push({ subscriber, net, update });
  }
  return changes;
}

/**
 * Signals that tracks have left the zone because it was deleted, deactivated or redrawn. They left all at once, so each
 * subscription gets one signal.
 */
export function* raiseCut(context: SignalContext, zone: LiveZone, left: readonly Track[]): Steps {
  const { fold, subscribers } = context;
  const newest = left.at(-1);
  if (newest === undefined) return;
  const tags = left.map(({ tag }) => tag.toLowerCase());
  const update = updateBy(newest, zone.updatedAt);
  const changes: ZoneChange[] = [];
  /** The counts by the tags that a subscription wants. */
  const counts = new Map<string, number>();
  for (const subscriber of subscribers.zones) {
    const count = counts.get(subscriber.tagsKey) ?? countWanted(tags, subscriber);
    counts.set(subscriber.tagsKey, count);
    if (count === 0 || !isSubscribedAt(fold, subscriber) || !isOf(subscriber, zone)) continue;
    changes.push({ subscriber, net: -count, update });
  }
  yield* raiseZone(context, zone, changes, Number.NaN);
}

const countWanted = (tags: readonly string[], subscriber: SignalSubscriber): number =>
  tags.filter((tag) => wants(subscriber, tag)).length;

const isOf = ({ zoneIds }: { readonly zoneIds: ReadonlySet<string> }, { definition }: LiveZone): boolean =>
  zoneIds.size === 0 || zoneIds.has(definition.zoneId);

const updateBy = ({ trackId, tag }: Track, updatedAt: number): ZoneUpdate => ({
  updatedAt,
  appliedAt: undefined,
  triggerTrackId: trackId,
  triggerTag: tag,
});

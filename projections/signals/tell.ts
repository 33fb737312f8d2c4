// What the fold of a detection, of a track's end and of a zone's change tells the subscriptions of the data source. Without
// any, none of these functions is called on the way of a detection.
import type { ExpiredBy } from "../../schemas/records/signal-raised.ts";
import { markTrack } from "../live/create-state.ts";
import type { Fold, LiveZone, Track } from "../live/state.ts";
import type { ZoneUpdate } from "../live/views.ts";
import { meet } from "./encounters.ts";
import { type Change, closeFrame, tellZone } from "./frame.ts";
import type { Listeners } from "./listeners.ts";
import { hears, once, raise, wants } from "./raise.ts";
import { activeZones, batchText, trackText } from "./state-text.ts";

const NONE: readonly LiveZone[] = [];

/** The zones that the track is in before something other than a detection happens to it. */
export function zonesBefore(fold: Fold, track: Track): readonly LiveZone[] {
  if (fold.frame !== undefined) closeFrame(fold);
  return fold.listeners === undefined ? NONE : activeZones(track);
}

/** `before`: the zones that the track was in. `begins`: the detection is the first of a stretch. */
export function tellDetection(fold: Fold, track: Track, before: readonly LiveZone[], begins: boolean): void {
  const { listeners, state } = fold;
  if (listeners === undefined) return;
  if (listeners.batches.length > 0) meet(track, listeners.thresholds, (other) => markTrack(state, other));
  if (listeners.tracks.length > 0) tellTracks(fold, track, begins ? "track_created" : "track_updated");
  if (listeners.zones.length > 0) tellZones(fold, track, { before, isDetection: true, tagBefore: track.tag });
}

/** The track has ended, and has left the zones that it was in. */
export function tellEnd(fold: Fold, track: Track, before: readonly LiveZone[], expiredBy: ExpiredBy): void {
  const { listeners } = fold;
  if (listeners === undefined) return;
  tellTracks(fold, track, "track_expired", expiredBy);
  tellBatches(fold, track, listeners, expiredBy);
  tellZones(fold, track, { before, isDetection: false, tagBefore: track.tag });
}

/** The track has got another tag. */
export function tellTag(fold: Fold, track: Track, before: readonly LiveZone[], tagBefore: string): void {
  if (fold.listeners !== undefined) tellZones(fold, track, { before, isDetection: false, tagBefore });
}

/** These tracks have left the zone, because it was deleted, switched off or redrawn; all at once, so it is told once. */
export function tellCut(fold: Fold, zone: LiveZone, left: readonly Track[]): void {
  const newest = left.at(-1);
  if (fold.listeners === undefined || newest === undefined) return;
  const tags = left.map(({ tag }) => tag.toLowerCase());
  const changes: Change[] = [];
  for (const listener of fold.listeners.zones) {
    const net = -tags.filter((tag) => wants(listener, tag)).length;
    if (net === 0 || !hears(fold, listener) || !isOf(listener, zone)) continue;
    changes.push({ listener, net, update: updateBy(newest, zone.updatedAt) });
  }
  tellZone(fold, zone, changes, Number.NaN);
}

function tellTracks(
  fold: Fold,
  track: Track,
  signal: "track_created" | "track_updated" | "track_expired",
  expiredBy: ExpiredBy | null = null,
): void {
  const tag = track.tag.toLowerCase();
  const state = once(() => trackText(track, fold.listeners?.mostCharacters ?? 0));
  const timestamp = signal === "track_expired" ? track.trackEnd : track.lastSeen;
  for (const listener of fold.listeners?.tracks ?? []) {
    if (!wants(listener, tag) || !hears(fold, listener)) continue;
    raise(fold, listener, { signal, subjectId: track.trackId, timestamp, state, expiredBy });
  }
}

function tellBatches(fold: Fold, track: Track, { batches, mostCharacters }: Listeners, expiredBy: ExpiredBy): void {
  const tag = track.tag.toLowerCase();
  for (const batch of batches) {
    if (!wants(batch, tag) || !hears(fold, batch)) continue;
    const told = { signal: "track_expired", subjectId: track.trackId, timestamp: track.trackEnd, expiredBy } as const;
    raise(fold, batch, { ...told, state: () => batchText(track, batch, mostCharacters) });
  }
}

interface Step {
  readonly before: readonly LiveZone[];
  readonly isDetection: boolean;
  readonly tagBefore: string;
}

function tellZones(fold: Fold, track: Track, step: Step): void {
  const after = activeZones(track);
  if (step.before.length + after.length === 0) return;
  const zones = [...new Set([...step.before, ...after])].sort((a, b) =>
    a.definition.zoneId < b.definition.zoneId ? -1 : 1,
  );
  for (const zone of zones) {
    const was = step.before.includes(zone);
    const is = after.includes(zone);
    const isSeenInside = was && is && step.isDetection && isInside(track, zone);
    const changes = changesOf(fold, track, zone, { ...step, was, is, isSeenInside });
    if (changes.length > 0) tellZone(fold, zone, changes, step.isDetection ? track.lastSeen : Number.NaN);
  }
}

/** Not within an exit delay, and the detection has a polygon. */
const isInside = ({ intersections, lastSeen }: Track, zone: LiveZone): boolean =>
  intersections.some((each) => each.zone === zone && each.lastInside === lastSeen);

interface Passage extends Step {
  readonly was: boolean;
  readonly is: boolean;
  readonly isSeenInside: boolean;
}

function changesOf(fold: Fold, track: Track, zone: LiveZone, passage: Passage): Change[] {
  const { was, is, isSeenInside } = passage;
  const tagBefore = passage.tagBefore.toLowerCase();
  const tag = track.tag.toLowerCase();
  const update = updateBy(track, is ? track.lastSeen : zone.updatedAt);
  const changes: Change[] = [];
  for (const listener of fold.listeners?.zones ?? []) {
    const wasHere = was && wants(listener, tagBefore);
    const isHere = is && wants(listener, tag);
    if ((!wasHere && !isHere) || !hears(fold, listener) || !isOf(listener, zone)) continue;
    const net = Number(isHere) - Number(wasHere);
    const isRenamed = tag !== tagBefore && listener.heartbeatMs !== null;
    if (net !== 0 || isSeenInside || isRenamed) changes.push({ listener, net, update });
  }
  return changes;
}

const isOf = ({ zoneIds }: { readonly zoneIds: ReadonlySet<string> }, { definition }: LiveZone): boolean =>
  zoneIds.size === 0 || zoneIds.has(definition.zoneId);

const updateBy = ({ trackId, tag }: Track, updatedAt: number): ZoneUpdate => ({
  updatedAt,
  appliedAt: undefined,
  triggerTrackId: trackId,
  triggerTag: tag,
});

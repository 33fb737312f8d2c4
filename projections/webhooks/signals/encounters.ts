// Finds out how near the tracks of one data source come to one another, for subscriptions in batch mode. At each
// detection of a track, the place of another track at that instant is interpolated between the other's detections
// before and after it. Recent detections are kept until the other track's next one has arrived. Of older ones, only the
// figures are kept. A detection is compared with another track once: at once when the other has been seen at that
// instant or later, else when the other is next seen.

import { createProbe, loadProbe } from "../../geometry/shape.ts";
import { markTrack } from "../../live/create-state.ts";
import type { Fold, Track } from "../../live/state.ts";
import type { Interaction } from "../../live/view-types.ts";
import { type Approaches, addSample, interactionOf, isNear, sampleOf } from "./approach.ts";
import type { Thresholds } from "./settings.ts";
import { type Sight, sightBetween } from "./sight.ts";
import { encountersAt } from "./spans.ts";
import type { Proximity } from "./subscribers.ts";
import { encountersOf, TrackEncounters } from "./track-encounters.ts";

/** The other track must have a detection within this time before and after the instant. */
const WINDOW_MS = 1_000;
/**
 * With this time, detections of two tracks are compared when the log has them out of order by at most a second of event
 * time.
 */
const KEPT_MS = 2 * WINDOW_MS;

/** Compares the newest detection of a track with the other tracks seen at about that time. */
export function recordEncounters(fold: Fold, track: Track, wanted: Proximity): void {
  const proximity = proximityAt(fold.recordedAt, wanted);
  if (proximity.thresholds.length === 0) return;
  const mine = encountersOf(track) ?? new TrackEncounters(track);
  track.slot = mine;
  const previous = mine.recent.at(-1);
  const sight = sightOf(track, previous);
  for (const tracks of encountersAt(track.source).around(sight)) {
    fold.workSincePause += tracks.size;
    for (const other of tracks) {
      if (other === mine) continue;
      if (recordOtherEncounter(other, track, [previous ?? sight, sight], proximity)) markTrack(fold.state, other.track);
      recordOwnEncounter(mine, sight, other, proximity);
    }
  }
  mine.add(sight, KEPT_MS);
}

/**
 * Leaves out the thresholds of subscriptions that were created after the message was recorded. A rebuild knows all
 * thresholds from the beginning, but must compute what the first fold did, which received them in the course of time.
 */
function proximityAt(recordedAt: number, proximity: Proximity): Proximity {
  const { thresholds } = proximity;
  if (thresholds.every(({ since }) => since <= recordedAt)) return proximity;
  return { ...proximity, thresholds: thresholds.filter(({ since }) => since <= recordedAt) };
}

/** Compares those detections of the other track that lie between this track's previous detection and its newest one. */
function recordOtherEncounter(
  theirs: TrackEncounters,
  track: Track,
  [before, after]: readonly [Sight, Sight],
  proximity: Proximity,
): boolean {
  let isChanged = false;
  for (const sight of theirs.recent) {
    const isDue = sight.at === after.at || (sight.at > before.at && sight.at < after.at);
    if (isDue) isChanged = recordIfNear(theirs, sight, track, [before, after], proximity) || isChanged;
  }
  return isChanged;
}

/** Compares the track's newest detection when the other track has been seen at that instant or later. */
function recordOwnEncounter(
  mine: TrackEncounters,
  sight: Sight,
  { recent, track }: TrackEncounters,
  proximity: Proximity,
): void {
  const next = recent.findIndex(({ at }) => at >= sight.at);
  const after = recent[next];
  if (after === undefined) return;
  recordIfNear(mine, sight, track, [recent[next - 1] ?? after, after], proximity);
}

/**
 * `before` and `after` are the other track's detections around the instant of `sight`.
 * @returns true when the two tracks are near.
 */
function recordIfNear(
  self: TrackEncounters,
  sight: Sight,
  other: Track,
  [before, after]: readonly [Sight, Sight],
  proximity: Proximity,
): boolean {
  const isThere = sight.at === after.at;
  if (!isThere && !(before.at < sight.at && sight.at - before.at <= WINDOW_MS && after.at - sight.at <= WINDOW_MS)) {
    return false;
  }
  const sample = sampleOf(sight, isThere ? after : sightBetween(before, after, sight.at));
  if (!isNear(sample, proximity.widest)) return false;
  for (const each of proximity.thresholds) {
    if (isNear(sample, each)) addSample(approachesBy(self, each, proximity), other, sample, each);
  }
  return true;
}

function approachesBy({ approaches }: TrackEncounters, { key }: Thresholds, { thresholds }: Proximity): Approaches {
  const known = approaches.get(key);
  if (known !== undefined) return known;
  // Subscriptions that come and go, each with other thresholds, must not fill the state of a track that stays for days.
  if (approaches.size >= thresholds.length) dropUnused(approaches, thresholds);
  const none: Approaches = new Map();
  approaches.set(key, none);
  return none;
}

function dropUnused(approaches: TrackEncounters["approaches"], thresholds: readonly Thresholds[]): void {
  const used = new Set(thresholds.map(({ key }) => key));
  for (const key of approaches.keys()) if (!used.has(key)) approaches.delete(key);
}

/** The interactions in order of their first samples. `wants` returns true for the tags of tracks that take part. */
export function interactionsOf(track: Track, { key }: Thresholds, wants: (tag: string) => boolean): Interaction[] {
  return [...(encountersOf(track)?.approaches.get(key)?.values() ?? [])]
    .filter(({ tag }) => wants(tag))
    .sort((a, b) => a.firstAt - b.firstAt || (a.trackId < b.trackId ? -1 : 1))
    .map(interactionOf);
}

// Each thread has its own probe, which every call reuses.
const probe = createProbe();

function sightOf(track: Track, previous: Sight | undefined): Sight {
  const at = track.lastSeen;
  const rings = track.boxAt === at ? track.rings : null;
  const hasBox = rings !== null;
  if (hasBox) loadProbe(probe, rings);
  const isPlaced = track.geoAt === at;
  return {
    at,
    previousAt: previous?.at ?? Number.NaN,
    minX: hasBox ? probe.minX : Number.NaN,
    minY: hasBox ? probe.minY : Number.NaN,
    maxX: hasBox ? probe.maxX : Number.NaN,
    maxY: hasBox ? probe.maxY : Number.NaN,
    longitude: isPlaced ? track.longitude : Number.NaN,
    latitude: isPlaced ? track.latitude : Number.NaN,
  };
}

// How near the tracks of one data source come to one another, for subscriptions in batch mode. At each detection of a track
// the place of another one is interpolated between the detections that the other has around that instant. Detections of the
// last moments are kept until the other track's next one has come; of older ones only the figures are.
//
// A detection and another track are judged once: if the other has been seen at that instant or later, at once; else when it
// is seen next.
import { markTrack } from "../live/create-state.ts";
import { createProbe, loadProbe } from "../live/geometry.ts";
import type { Fold, Track } from "../live/state.ts";
import type { Interaction } from "../live/view-types.ts";
import { type Approach, type Approaches, addSample, interactionOf, isNear, sampleOf } from "./approach.ts";
import type { Proximity } from "./listeners.ts";
import type { Thresholds } from "./settings.ts";
import { between, parseSight, type Sight, type StoredSight, storeSight } from "./sight.ts";
import { enterSpan, leaveSpan, tracksAround } from "./spans.ts";

/** The other track must have been seen within this time before and after. */
const WINDOW_MS = 1_000;
/** So detections of two tracks find one another if the log has them at most a second of event time out of order. */
const KEPT_MS = 2 * WINDOW_MS;

/** Of a track. */
export interface Encounters {
  /** Its last detections, by time. */
  recent: Sight[];
  /** By the key of the thresholds. */
  readonly approaches: Map<string, Approaches>;
}

export interface StoredEncounters {
  readonly recent: readonly StoredSight[];
  readonly approaches: Readonly<Record<string, readonly Approach[]>>;
}

/** The track has been seen. */
export function meet(fold: Fold, track: Track, wanted: Proximity): void {
  const proximity = askedAt(fold.recordedAt, wanted);
  if (proximity.thresholds.length === 0) return;
  track.encounters ??= { recent: [], approaches: new Map() };
  const mine = track.encounters;
  const previous = mine.recent.at(-1);
  const sight = sightOf(track, previous);
  for (const tracks of tracksAround(track, sight)) {
    fold.looked += tracks.size;
    for (const other of tracks) {
      if (other === track || other.encounters === null) continue;
      if (judgeOther(other.encounters, track, [previous ?? sight, sight], proximity)) markTrack(fold.state, other);
      judgeThis(mine, sight, other, proximity);
    }
  }
  leaveSpan(track);
  mine.recent.push(sight);
  while ((mine.recent[0]?.at ?? sight.at) < sight.at - KEPT_MS) mine.recent.shift();
  enterSpan(track);
}

/** A rebuild knows all thresholds from the beginning, and must count as the fold did that got to know them on the way. */
function askedAt(recordedAt: number, proximity: Proximity): Proximity {
  const { thresholds } = proximity;
  if (thresholds.every(({ since }) => since <= recordedAt)) return proximity;
  return { ...proximity, thresholds: thresholds.filter(({ since }) => since <= recordedAt) };
}

/** Judges the other's detections since the track was seen before. */
function judgeOther(
  theirs: Encounters,
  track: Track,
  [before, after]: readonly [Sight, Sight],
  proximity: Proximity,
): boolean {
  let isChanged = false;
  for (const sight of theirs.recent) {
    const isDue = sight.at === after.at || (sight.at > before.at && sight.at < after.at);
    if (isDue) isChanged = judge(theirs, sight, track, [before, after], proximity) || isChanged;
  }
  return isChanged;
}

/** Judges the track's newest detection if the other track is further on. */
function judgeThis(mine: Encounters, sight: Sight, other: Track, proximity: Proximity): void {
  const theirs = other.encounters?.recent ?? [];
  const next = theirs.findIndex(({ at }) => at >= sight.at);
  const after = theirs[next];
  if (after === undefined) return;
  judge(mine, sight, other, [theirs[next - 1] ?? after, after], proximity);
}

/** `around`: the other's detections around the instant of `sight`. Returns whether the two are near. */
function judge(
  self: Encounters,
  sight: Sight,
  other: Track,
  [before, after]: readonly [Sight, Sight],
  proximity: Proximity,
): boolean {
  const isThere = sight.at === after.at;
  if (!isThere && !(before.at < sight.at && sight.at - before.at <= WINDOW_MS && after.at - sight.at <= WINDOW_MS)) {
    return false;
  }
  const sample = sampleOf(sight, isThere ? after : between(before, after, sight.at));
  if (!isNear(sample, proximity.widest)) return false;
  for (const each of proximity.thresholds) {
    if (isNear(sample, each)) addSample(approachesBy(self, each, proximity), other, sample, each);
  }
  return true;
}

function approachesBy({ approaches }: Encounters, { key }: Thresholds, { thresholds }: Proximity): Approaches {
  const known = approaches.get(key);
  if (known !== undefined) return known;
  // Subscriptions that come and go with other thresholds each must not fill the state of a track that stays for days.
  if (approaches.size >= thresholds.length) dropUnused(approaches, thresholds);
  const none: Approaches = new Map();
  approaches.set(key, none);
  return none;
}

function dropUnused(approaches: Encounters["approaches"], thresholds: readonly Thresholds[]): void {
  const used = new Set(thresholds.map(({ key }) => key));
  for (const key of approaches.keys()) if (!used.has(key)) approaches.delete(key);
}

/** By the time of the first sample; `wants` says whether tracks with a tag take part. */
export function interactionsOf(
  { encounters }: Track,
  { key }: Thresholds,
  wants: (tag: string) => boolean,
): Interaction[] {
  return [...(encounters?.approaches.get(key)?.values() ?? [])]
    .filter(({ tag }) => wants(tag))
    .sort((a, b) => a.firstAt - b.firstAt || (a.trackId < b.trackId ? -1 : 1))
    .map(interactionOf);
}

/** The track begins a new stretch. */
export function beginEncounters({ encounters }: Track): void {
  encounters?.approaches.clear();
}

export function storeEncounters({ recent, approaches }: Encounters): StoredEncounters {
  const figures = [...approaches].map(([key, each]) => [key, [...each.values()]] as const);
  return { recent: recent.map(storeSight), approaches: Object.fromEntries(figures) };
}

export function restoreEncounters(track: Track, { recent, approaches }: StoredEncounters): void {
  const figures = Object.entries(approaches).map(
    ([key, each]) => [key, new Map(each.map((approach) => [approach.trackId, approach]))] as const,
  );
  track.encounters = { recent: recent.map(parseSight), approaches: new Map(figures) };
  enterSpan(track);
}

// Scratch of this thread.
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

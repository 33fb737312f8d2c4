// How near the tracks of one data source come to one another, for subscriptions in batch mode. At each detection of a track
// the place of another one is interpolated between the detections that the other has around that instant. Detections of the
// last moments are kept until the other track's next one has come; of older ones only the figures are.
//
// A detection and another track are judged once: if the other has been seen at that instant or later, at once; else when it
// is seen next.
import { createProbe, loadProbe } from "../live/geometry.ts";
import type { Track } from "../live/state.ts";
import type { Interaction } from "../live/view-types.ts";
import { type Approach, type Approaches, addSample, interactionOf, isNear, sampleOf } from "./approach.ts";
import type { Thresholds } from "./listeners.ts";
import { between, parseSight, type Sight, type StoredSight, storeSight } from "./sight.ts";

/** The other track must have been seen within this time before and after. */
const WINDOW_MS = 1_000;
/** So detections of two tracks find one another if the log has them at most a second of event time out of order. */
const KEPT_MS = 2 * WINDOW_MS;
/** Longer than what is kept. */
const SPAN_MS = 4_096;
/** Tracks that came to rest lately still count for others, whose detections may come later. */
const RESTED_TRACKS = 64;

/** Of a track. */
export interface Encounters {
  /** Its last detections, by time. */
  recent: Sight[];
  /** By the key of the thresholds. */
  readonly approaches: Map<string, Approaches>;
}

/** Of a data source. */
export interface SourceEncounters {
  /** The tracks by the time of their last detection. */
  readonly spans: Map<number, Set<Track>>;
  /** In the order in which they came to rest. */
  readonly rested: Track[];
}

export interface StoredEncounters {
  readonly recent: readonly StoredSight[];
  readonly approaches: Readonly<Record<string, readonly Approach[]>>;
}

/** The track has been seen. `onChange` gets the others whose figures this changes. */
export function meet(track: Track, thresholds: readonly Thresholds[], onChange: (other: Track) => void): void {
  const { spans } = encountersAt(track);
  track.encounters ??= { recent: [], approaches: new Map() };
  const mine = track.encounters;
  const previous = mine.recent.at(-1);
  const sight = sightOf(track, previous);
  const span = spanOf(sight);
  for (let near = span - 1; near <= span + 1; near++) {
    for (const other of spans.get(near) ?? []) {
      if (other === track || other.encounters === null) continue;
      if (judgeOther(other.encounters, track, [previous ?? sight, sight], thresholds)) onChange(other);
      judgeThis(mine, sight, other, thresholds);
    }
  }
  leaveSpan(track);
  mine.recent.push(sight);
  while ((mine.recent[0]?.at ?? sight.at) < sight.at - KEPT_MS) mine.recent.shift();
  enterSpan(track);
}

/** Judges the other's detections since the track was seen before. */
function judgeOther(
  theirs: Encounters,
  track: Track,
  [before, after]: readonly [Sight, Sight],
  thresholds: readonly Thresholds[],
): boolean {
  let isChanged = false;
  for (const sight of theirs.recent) {
    const isDue = sight.at === after.at || (sight.at > before.at && sight.at < after.at);
    if (isDue) isChanged = judge(theirs, sight, track, [before, after], thresholds) || isChanged;
  }
  return isChanged;
}

/** Judges the track's newest detection if the other track is further on. */
function judgeThis(mine: Encounters, sight: Sight, other: Track, thresholds: readonly Thresholds[]): void {
  const theirs = other.encounters?.recent ?? [];
  const next = theirs.findIndex(({ at }) => at >= sight.at);
  const after = theirs[next];
  if (after === undefined) return;
  judge(mine, sight, other, [theirs[next - 1] ?? after, after], thresholds);
}

/** `around`: the other's detections around the instant of `sight`. Returns whether the two are near. */
function judge(
  self: Encounters,
  sight: Sight,
  other: Track,
  [before, after]: readonly [Sight, Sight],
  thresholds: readonly Thresholds[],
): boolean {
  const isThere = sight.at === after.at;
  if (!isThere && !(before.at < sight.at && sight.at - before.at <= WINDOW_MS && after.at - sight.at <= WINDOW_MS)) {
    return false;
  }
  const sample = sampleOf(sight, isThere ? after : between(before, after, sight.at));
  let isRecorded = false;
  for (const each of thresholds) {
    if (!isNear(sample, each)) continue;
    const approaches: Approaches = self.approaches.get(each.key) ?? new Map();
    self.approaches.set(each.key, approaches);
    addSample(approaches, other, sample);
    isRecorded = true;
  }
  return isRecorded;
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

/** The track came to rest. Returns one whose detections count no more; the figures stay, because an end can be taken back. */
export function restEncounters(track: Track): Track | undefined {
  if (track.encounters === null || track.encounters.recent.length === 0) return undefined;
  const { rested } = encountersAt(track);
  rested.push(track);
  const oldest = rested.length > RESTED_TRACKS ? rested.shift() : undefined;
  if (oldest === undefined) return undefined;
  leaveSpan(oldest);
  if (oldest.encounters !== null) oldest.encounters.recent = [];
  return oldest;
}

/** The track goes on. */
export function wakeEncounters(track: Track): void {
  const rested = track.source.encounters?.rested ?? [];
  const at = track.encounters === null ? -1 : rested.indexOf(track);
  if (at >= 0) rested.splice(at, 1);
}

export function forgetEncounters(track: Track): void {
  if (track.encounters === null) return;
  wakeEncounters(track);
  leaveSpan(track);
  track.encounters = null;
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

const encountersAt = ({ source }: Track): SourceEncounters => {
  source.encounters ??= { spans: new Map(), rested: [] };
  return source.encounters;
};

const spanOf = ({ at }: Sight): number => Math.floor(at / SPAN_MS);

function enterSpan(track: Track): void {
  const newest = track.encounters?.recent.at(-1);
  if (newest === undefined) return;
  const { spans } = encountersAt(track);
  const tracks = spans.get(spanOf(newest));
  if (tracks === undefined) spans.set(spanOf(newest), new Set([track]));
  else tracks.add(track);
}

function leaveSpan(track: Track): void {
  const newest = track.encounters?.recent.at(-1);
  if (newest === undefined) return;
  const { spans } = encountersAt(track);
  const tracks = spans.get(spanOf(newest));
  tracks?.delete(track);
  if (tracks?.size === 0) spans.delete(spanOf(newest));
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

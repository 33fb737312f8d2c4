// What the feed remembers of tracks: enough to distinguish a repeated creation, detection or end from a new one, and to
// show the track when an event names only its id. Bounded: the memory forgets the tracks without an event for longest.
import type { Detection, GeoPosition, TrackProperties } from "../../schemas/events.ts";
import type { TrackRef } from "../history/queries/records.ts";
import { trackKeyOf } from "../history/queries/track-refs.ts";
import { headerCharacters, MEAN_CHARACTERS, type ShownTrack, type TrackHeader } from "../track/header.ts";
import type { PatchField } from "../track/patch.ts";
import { addPosition, createSeen, type SeenPositions, sizeOf } from "./seen-positions.ts";

export interface RememberedTrack {
  readonly trackId: string;
  readonly dataSourceId: string;
  tag: string;
  startTime: number;
  modelId: string | null;
  properties: TrackProperties | null;
  metadata: string | null;
  /** The feed has read the creation. Else the header came from a look-up, perhaps from further on in the log. */
  started: boolean;
  /** The header came from a look-up: a creation in the log no longer changes it. */
  found: boolean;
  /** The fields that an update has set: they outweigh every creation, even a later one. */
  readonly said: Set<PatchField>;
  /** Offset of the newest update that set or cleared the end; from then on the end of a creation no longer counts. */
  endSaidAt: number | null;
  explicitEnd: number | null;
  /** Newer than explicitEnd, as long as no later detection refutes it. */
  expiredEnd: number | null;
  /** The end from a look-up. Clients see it, but it is no proof that subscribers were informed of it. */
  foundEnd: number | null;
  /** Timestamps of the newest detections, ascending. */
  readonly recent: number[];
  firstDetectionAt: number | null;
  /** The memory replaces it by an empty one when it drops the positions. */
  seen: SeenPositions;
}

export interface TrackMemory {
  get(track: TrackRef): RememberedTrack | undefined;
  /** Also after its header has changed. */
  set(track: RememberedTrack): void;
  /** Unlike `get`, does not count as a use of the track. */
  peek(track: TrackRef): RememberedTrack | undefined;
  /** Of several data sources' tracks with the id, the one that was used last. */
  peekById(trackId: string): RememberedTrack | undefined;
  /** Notes where the track is. */
  see(track: RememberedTrack, position: GeoPosition): void;
  /** Stores where the track was before the log was read for it. */
  learnPositions(track: TrackRef, seen: SeenPositions, before: readonly number[]): void;
}

export interface TrackMemoryLimits {
  /** Their headers together have at most `MEAN_CHARACTERS` for each. Beyond it the memory forgets tracks, too. */
  readonly maxTracks: number;
  /** For all tracks together. Beyond it the memory drops those of the tracks that have not moved for longest. */
  readonly maxPositions: number;
}

/** A detection that more than this many newer ones have overtaken counts as late. */
const RECENT = 32;

export function createTrackMemory({ maxTracks, maxPositions }: TrackMemoryLimits): TrackMemory {
  // A Map keeps the order of insertion: the first key is the one not used for longest.
  const tracks = new Map<string, RememberedTrack>();
  const sizes = new Map<string, number>();
  const maxCharacters = maxTracks * MEAN_CHARACTERS;
  let characters = 0;
  const byId = new Map<string, RememberedTrack>();
  const moved = new Map<string, SeenPositions>();
  let positions = 0;

  function letGo(key: string): void {
    const seen = moved.get(key);
    if (seen === undefined) return;
    moved.delete(key);
    positions -= sizeOf(seen);
    const track = tracks.get(key);
    // Messages made from this track keep the old object.
    if (track !== undefined) track.seen = createSeen(undefined);
  }

  function grow(key: string, seen: SeenPositions, by: () => void): void {
    const before = sizeOf(seen);
    by();
    positions += sizeOf(seen) - before;
    moved.delete(key);
    moved.set(key, seen);
    while (positions > maxPositions && moved.size > 1) {
      const [stillest] = moved.keys();
      if (stillest !== undefined) letGo(stillest);
    }
  }

  function weigh(key: string, size: number): void {
    characters += size - (sizes.get(key) ?? 0);
    if (size === 0) sizes.delete(key);
    else sizes.set(key, size);
  }

  function keep(key: string, track: RememberedTrack): void {
    tracks.delete(key);
    tracks.set(key, track);
    if (byId.get(track.trackId) !== track) byId.set(track.trackId, track);
  }

  function forget(key: string, track: RememberedTrack): void {
    letGo(key);
    weigh(key, 0);
    tracks.delete(key);
    if (byId.get(track.trackId) === track) byId.delete(track.trackId);
  }

  return {
    peek: (ref) => tracks.get(trackKeyOf(ref)),
    peekById: (trackId) => byId.get(trackId),
    get(ref) {
      const key = trackKeyOf(ref);
      const track = tracks.get(key);
      if (track !== undefined) keep(key, track);
      return track;
    },
    set(track) {
      const own = trackKeyOf(track);
      keep(own, track);
      weigh(own, headerCharacters(track));
      for (const [key, oldest] of tracks) {
        if (key === own || (tracks.size <= maxTracks && characters <= maxCharacters)) return;
        forget(key, oldest);
      }
    },
    see(track, { longitude, latitude }) {
      const { seen } = track;
      grow(trackKeyOf(track), seen, () => addPosition(seen, longitude, latitude));
    },
    learnPositions(ref, seen, before) {
      const key = trackKeyOf(ref);
      const lay = () => {
        seen.before = before;
      };
      if (tracks.get(key)?.seen === seen) grow(key, seen, lay);
      else lay();
    },
  };
}

/** False for a track of which the feed has seen only detections. */
export const hasHeader = (track: RememberedTrack | undefined): boolean =>
  track !== undefined && (track.started || track.tag !== "");

/** Adds the header from a look-up to what the log has shown so far. */
export function learnTrack(memory: TrackMemory, found: TrackHeader): void {
  const known = memory.peek(found);
  if (hasHeader(known)) return;
  const fresh = rememberedFrom(found);
  const { recent, firstDetectionAt, explicitEnd, expiredEnd, endSaidAt, said, seen } = known ?? fresh;
  memory.set({ ...fresh, found: true, recent, firstDetectionAt, explicitEnd, expiredEnd, endSaidAt, said, seen });
}

export function rememberedFrom(found: TrackHeader): RememberedTrack {
  const { endTime, ...header } = found;
  return {
    ...header,
    started: false,
    found: false,
    said: new Set(),
    endSaidAt: null,
    explicitEnd: null,
    expiredEnd: null,
    foundEnd: endTime,
    recent: [],
    firstDetectionAt: null,
    seen: createSeen(undefined),
  };
}

/** Follows the rule of the history: the newest end counts, and an expiry only if no later detection refutes it. */
export const endOf = ({ expiredEnd, explicitEnd }: RememberedTrack): number | null => expiredEnd ?? explicitEnd;

export function lastDetectionOf({ recent }: RememberedTrack): number {
  return recent.at(-1) ?? Number.NEGATIVE_INFINITY;
}

/** Notes the detection. late: the memory no longer knows whether a detection this old is a repetition. */
export function noteDetection(track: RememberedTrack, { timestamp }: Detection): "new" | "known" | "late" {
  const { recent } = track;
  if (timestamp > lastDetectionOf(track)) recent.push(timestamp);
  else if (recent.length >= RECENT && timestamp < (recent[0] ?? timestamp)) return "late";
  else if (!insert(recent, timestamp)) return "known";
  if (recent.length > RECENT) recent.shift();
  if (track.firstDetectionAt === null || timestamp < track.firstDetectionAt) track.firstDetectionAt = timestamp;
  if (track.expiredEnd !== null && timestamp > track.expiredEnd) track.expiredEnd = null;
  track.foundEnd = null;
  return "new";
}

function insert(recent: number[], timestamp: number): boolean {
  let at = recent.length;
  while (at > 0 && (recent[at - 1] ?? timestamp) > timestamp) at--;
  if (recent[at - 1] === timestamp) return false;
  recent.splice(at, 0, timestamp);
  return true;
}

export function snapshot(track: RememberedTrack): ShownTrack {
  const { trackId, dataSourceId, tag, startTime, modelId, properties, metadata } = track;
  const endTime = endOf(track) ?? track.foundEnd;
  const header = { trackId, dataSourceId, tag, startTime, endTime, modelId, properties, metadata };
  // With a half-known span, a query for the track's detections would miss the earlier ones.
  if (!track.started) return header;
  return { ...header, firstDetectionAt: track.firstDetectionAt, lastDetectionAt: track.recent.at(-1) ?? null };
}

// What the feed remembers of tracks: enough to tell a repeated creation, detection or end from a new one, and to say what
// the track is when an event names only its id. Bounded: the tracks not heard of for longest are forgotten.
import type { Detection, GeoPosition, TrackProperties } from "../../schemas/events.ts";
import type { ShownTrack, TrackHeader } from "../track/header.ts";
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
  /** The creation was seen; without it the header is what somebody else knew, perhaps from further on in the log. */
  started: boolean;
  /** Its header was looked up: a repeated creation changes nothing of it. */
  found: boolean;
  /** What an update has set: it outweighs every creation, even a later one. */
  readonly said: Set<PatchField>;
  /** Offset of the newest update that spoke of the end; once there is one, a repeated creation no longer counts. */
  endSaidAt: number | null;
  explicitEnd: number | null;
  /** Newer than explicitEnd, as long as no later detection refutes it. */
  expiredEnd: number | null;
  /** The end that the look-up found; shown, but no proof that subscribers have heard of it. */
  foundEnd: number | null;
  /** Timestamps of the newest detections, ascending. */
  readonly recent: number[];
  firstDetectionAt: number | null;
  /** Made anew when the memory has dropped it. */
  seen: SeenPositions;
}

export interface TrackMemory {
  get(trackId: string): RememberedTrack | undefined;
  set(track: RememberedTrack): void;
  /** Without making it younger. */
  peek(trackId: string): RememberedTrack | undefined;
  /** Notes where the track is. */
  see(track: RememberedTrack, position: GeoPosition): void;
  /** Stores where the track was before the log was read for it. */
  learnPositions(trackId: string, seen: SeenPositions, before: readonly number[]): void;
}

export interface TrackMemoryLimits {
  readonly maxTracks: number;
  /** Of all tracks together; beyond it, the memory drops those of the tracks that have not moved for longest. */
  readonly maxPositions: number;
}

/** Detections out of order by more than this many are taken for repetitions. */
const RECENT = 32;

export function createTrackMemory({ maxTracks, maxPositions }: TrackMemoryLimits): TrackMemory {
  // A Map keeps the order of insertion: the first key is the one not used for longest.
  const tracks = new Map<string, RememberedTrack>();
  const moved = new Map<string, SeenPositions>();
  let positions = 0;

  function letGo(trackId: string): void {
    const seen = moved.get(trackId);
    if (seen === undefined) return;
    moved.delete(trackId);
    positions -= sizeOf(seen);
    const track = tracks.get(trackId);
    // Messages that were made from it keep the old one.
    if (track !== undefined) track.seen = createSeen(undefined);
  }

  function grow(trackId: string, seen: SeenPositions, by: () => void): void {
    const before = sizeOf(seen);
    by();
    positions += sizeOf(seen) - before;
    moved.delete(trackId);
    moved.set(trackId, seen);
    while (positions > maxPositions && moved.size > 1) {
      const [stillest] = moved.keys();
      if (stillest !== undefined) letGo(stillest);
    }
  }

  return {
    peek: (trackId) => tracks.get(trackId),
    get(trackId) {
      const track = tracks.get(trackId);
      if (track === undefined) return undefined;
      tracks.delete(trackId);
      tracks.set(trackId, track);
      return track;
    },
    set(track) {
      tracks.set(track.trackId, track);
      if (tracks.size <= maxTracks) return;
      const [oldest] = tracks.keys();
      if (oldest === undefined) return;
      letGo(oldest);
      tracks.delete(oldest);
    },
    see({ trackId, seen }, { longitude, latitude }) {
      grow(trackId, seen, () => addPosition(seen, longitude, latitude));
    },
    learnPositions(trackId, seen, before) {
      const lay = () => {
        seen.before = before;
      };
      if (tracks.get(trackId)?.seen === seen) grow(trackId, seen, lay);
      else lay();
    },
  };
}

/** False for a track of which the log has only shown detections. */
export const hasHeader = (track: RememberedTrack | undefined): boolean =>
  track !== undefined && (track.started || track.tag !== "");

/** Lays what a look-up found beside what the log has shown so far. */
export function learnTrack(memory: TrackMemory, found: TrackHeader): void {
  const known = memory.peek(found.trackId);
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

/** By the rule of the history: the newest of what was said about the end; an expiry unless a later detection refutes it. */
export const endOf = ({ expiredEnd, explicitEnd }: RememberedTrack): number | null => expiredEnd ?? explicitEnd;

export function lastDetectionOf({ recent }: RememberedTrack): number {
  return recent.at(-1) ?? Number.NEGATIVE_INFINITY;
}

/** Notes the detection. late: too old for the memory to know whether it was there before. */
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
  // A half-known span would make a query for the track's detections miss the earlier ones.
  if (!track.started) return header;
  return { ...header, firstDetectionAt: track.firstDetectionAt, lastDetectionAt: track.recent.at(-1) ?? null };
}

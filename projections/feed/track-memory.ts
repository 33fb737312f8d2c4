// What the feed remembers of tracks: enough to tell a repeated creation, detection or end from a new one, and to say what
// the track is when an event names only its id. Bounded: the tracks not heard of for longest are forgotten.
import type { Detection, TrackProperties } from "../../schemas/events.ts";
import type { FeedTrack } from "./messages.ts";

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
  /** Offset of the newest update that spoke of the end; once there is one, a repeated creation no longer counts. */
  endSaidAt: number | null;
  explicitEnd: number | null;
  /** Newer than explicitEnd, as long as no later detection refutes it. */
  expiredEnd: number | null;
  /** What the look-up said; shown, but no proof that subscribers were told. */
  foundEnd: number | null;
  /** Timestamps of the newest detections, ascending. */
  readonly recent: number[];
  firstDetectionAt: number | null;
}

/** What a look-up knows of a track. */
export type FoundTrack = Omit<FeedTrack, "firstDetectionAt" | "lastDetectionAt">;

export interface TrackMemory {
  get(trackId: string): RememberedTrack | undefined;
  set(track: RememberedTrack): void;
  /** Without making it younger. */
  peek(trackId: string): RememberedTrack | undefined;
}

/** Detections out of order by more than this many are taken for repetitions. */
const RECENT = 32;

export function createTrackMemory(maxTracks: number): TrackMemory {
  // A Map keeps the order of insertion: the first key is the one not used for longest.
  const tracks = new Map<string, RememberedTrack>();
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
      if (oldest !== undefined) tracks.delete(oldest);
    },
  };
}

/** False for a track of which the log has only shown detections. */
export const hasHeader = (track: RememberedTrack | undefined): boolean =>
  track !== undefined && (track.started || track.tag !== "");

/** Puts what a look-up found beside what the log has told so far. */
export function learnTrack(memory: TrackMemory, found: FoundTrack): void {
  const known = memory.peek(found.trackId);
  if (hasHeader(known)) return;
  const { recent = [], firstDetectionAt = null, explicitEnd = null, expiredEnd = null, endSaidAt = null } = known ?? {};
  memory.set({ ...rememberedFrom(found), recent, firstDetectionAt, explicitEnd, expiredEnd, endSaidAt });
}

export function rememberedFrom(found: FoundTrack): RememberedTrack {
  const { endTime, ...header } = found;
  return {
    ...header,
    started: false,
    endSaidAt: null,
    explicitEnd: null,
    expiredEnd: null,
    foundEnd: endTime,
    recent: [],
    firstDetectionAt: null,
  };
}

/** By the rule of the history: the newest of what was said about the end; an expiry unless a later detection refutes it. */
export const endOf = ({ expiredEnd, explicitEnd }: RememberedTrack): number | null => expiredEnd ?? explicitEnd;

export function lastDetectionOf({ recent }: RememberedTrack): number {
  return recent.at(-1) ?? Number.NEGATIVE_INFINITY;
}

/** Notes the detection; false = it was there before. */
export function noteDetection(track: RememberedTrack, { timestamp }: Detection): boolean {
  const { recent } = track;
  if (timestamp > lastDetectionOf(track)) recent.push(timestamp);
  else if (!insert(recent, timestamp)) return false;
  if (recent.length > RECENT) recent.shift();
  if (track.firstDetectionAt === null || timestamp < track.firstDetectionAt) track.firstDetectionAt = timestamp;
  if (track.expiredEnd !== null && timestamp > track.expiredEnd) track.expiredEnd = null;
  track.foundEnd = null;
  return true;
}

function insert(recent: number[], timestamp: number): boolean {
  let at = recent.length;
  while (at > 0 && (recent[at - 1] ?? timestamp) > timestamp) at--;
  if (recent[at - 1] === timestamp || (at === 0 && recent.length >= RECENT)) return false;
  recent.splice(at, 0, timestamp);
  return true;
}

export function snapshot(track: RememberedTrack): FeedTrack {
  const { trackId, dataSourceId, tag, startTime, modelId, properties, metadata } = track;
  const endTime = endOf(track) ?? track.foundEnd;
  const header = { trackId, dataSourceId, tag, startTime, endTime, modelId, properties, metadata };
  // A half-known span would make a query for the track's detections miss the earlier ones.
  if (!track.started) return header;
  return { ...header, firstDetectionAt: track.firstDetectionAt, lastDetectionAt: track.recent.at(-1) ?? null };
}

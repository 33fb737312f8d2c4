// The live state of one partition: plain mutable objects, owned by one loop. Times are ms since the epoch; a number that
// is not known is NaN (null in JSON), so that fields keep one representation in memory.
import type { Detection, Zone } from "../../schemas/events.ts";
import type { Shape } from "./geometry.ts";
import type { Motion } from "./motion.ts";
import type { LiveSettings, Outputs } from "./types.ts";
import type { ZoneIndex } from "./zone-index.ts";

export type Rings = readonly (readonly number[])[];

export interface PartitionState {
  readonly partition: number;
  readonly sources: Map<string, Source>;
  /** A track id belongs to the data source that used it first in this partition. */
  readonly tracks: Map<string, Track>;
  readonly live: Set<Track>;
  /** Ended tracks, and those without a detection yet, in the order in which they are to be forgotten. */
  readonly resting: RestList;
  readonly zones: Map<string, LiveZone>;
  /** The log's own clock: broker time of the newest folded message; -Infinity before the first. */
  recordedAt: number;
  /** What is live or held, and not asked to expire, was heard at this broker time or later; -Infinity = look. */
  quietSince: number;
  /** Where the search for data sources to forget goes on. */
  sourceCursor: Iterator<Source>;
  /** What takeTouched has to write. Tracks carry a flag of their own: they change with every detection. */
  readonly dirtyTracks: Track[];
  readonly forgottenTracks: Set<string>;
  readonly dirtySources: Set<Source>;
  readonly dirtyZones: Set<string>;
}

export interface RestList {
  first: Track | null;
  last: Track | null;
  size: number;
}

export interface Source {
  readonly dataSourceId: string;
  /** Timestamp of the last detection of its newest message; not the maximum, so it follows a clock set back. For `held`. */
  clock: number;
  /** Broker time of its newest message from the camera; NaN before the first. */
  recordedAt: number;
  readonly tracks: Set<Track>;
  readonly zones: Map<string, LiveZone>;
  /** Of all its zones. */
  zoneVertices: number;
  /** null = to be built before the next look-up. */
  index: ZoneIndex | null;
  /** Waiting for their turn, sorted by (at, arrival); always empty without a reorder time. */
  held: Held[];
  /** End times handed out by dueExpiries that have not come back yet. Not stored: asking twice is harmless. */
  readonly pendingEnds: Map<string, number>;
}

/** A detection, or (detection null) the explicit end of a track. */
export interface Held {
  readonly at: number;
  readonly recordedAt: number;
  readonly trackId: string;
  readonly detection: Detection | null;
  readonly endTime: number | null;
}

/** header: no detection yet; expired: timed out, can be taken back; ended: by an explicit end. */
export type Phase = "header" | "live" | "expired" | "ended";

export interface Track {
  readonly trackId: string;
  readonly source: Source;
  tag: string;
  startTime: number;
  /** The explicit end heard last, also when later detections have overtaken it. */
  endTime: number;
  /** What REST calls track_end: last detection + time to live, or the explicit end; NaN while live. */
  trackEnd: number;
  phase: Phase;
  firstSeen: number;
  lastSeen: number;
  /** Broker time of the newest folded detection. */
  recordedAt: number;
  detections: number;
  /** Centre of the last box, pixels. */
  x: number;
  y: number;
  longitude: number;
  latitude: number;
  rings: Rings | null;
  /** Timestamps of the newest detection with a polygon and with a position. */
  boxAt: number;
  geoAt: number;
  motion: Motion;
  geoMotion: Motion | null;
  /** Sorted by zone id. */
  intersections: Intersection[];
  history: PastIntersection[];
  /** `history` as JSON, null when it has changed: it is the longest part of a track and changes least. */
  historyJson: string | null;
  sequence: ZoneEntry[];
  /** Which message folded the last detection, and the how-manieth it was: the order of updates across tracks. */
  seenOffset: number;
  seenIndex: number;
  /** Broker time and position in the log at which it began to rest. */
  restRecordedAt: number;
  restOffset: number;
  restIndex: number;
  /** Its neighbours in the list of those at rest. */
  restsAfter: Track | null;
  restsBefore: Track | null;
  dirty: boolean;
}

export interface Intersection {
  readonly zone: LiveZone;
  /** Empty until enough consecutive detections were inside to count as an entry. */
  id: string;
  /** First detection inside. */
  readonly startTime: number;
  lastInside: number;
  /** Event time of the last START or UPDATE. */
  emittedAt: number;
  detections: number;
  percent: number;
  percentSum: number;
  /** Where the newest detection inside was. */
  x: number;
  y: number;
  longitude: number;
  latitude: number;
  geoAt: number;
  readonly motion: Motion;
  geoMotion: Motion | null;
  /** First detection of the present run outside (exit delay), else NaN. */
  outsideSince: number;
  exit: ExitPosition | null;
  /** The end given out when the track ended; the intersection stays here because an expiry can be taken back. NaN = open. */
  endedAt: number;
}

export interface ExitPosition {
  readonly x: number;
  readonly y: number;
  readonly longitude: number;
  readonly latitude: number;
  readonly rings: Rings | null;
}

export interface PastIntersection {
  readonly zoneId: string;
  readonly zoneName: string;
  readonly enteredAt: number;
  readonly exitedAt: number;
  readonly detections: number;
  readonly percent: number;
  readonly percentSum: number;
  readonly motion: Motion;
  readonly geoMotion: Motion | null;
  readonly exit: ExitPosition;
}

interface ZoneEntry {
  readonly zoneId: string;
  readonly enteredAt: number;
}

export interface LiveZone {
  definition: Zone;
  shape: Shape;
  /** Place in the index of its source: the order of zone ids. */
  rank: number;
  readonly activeTracks: Set<string>;
  /** The last entry or exit; updates by tracks that stay inside are told by the tracks. */
  updatedAt: number;
  triggerTrackId: string | null;
  triggerTag: string | null;
  triggerOffset: number;
  triggerIndex: number;
}

/** The message being folded. */
export interface Fold {
  readonly state: PartitionState;
  readonly offset: number;
  readonly recordedAt: number;
  readonly settings: LiveSettings;
  readonly out: Outputs;
  /** Outputs so far. */
  outputs: number;
  /** Detections and ends folded so far. */
  folded: number;
}

// The live state of one partition: plain mutable objects, owned by one loop. Times are ms since the epoch; an unknown
// number is NaN (null in JSON), so that fields keep one representation in memory.
import type { Detection, TrackExpired, Zone } from "../../schemas/events.ts";
import type { Encounters } from "../signals/encounters.ts";
import type { Frame } from "../signals/frame.ts";
import type { Listeners } from "../signals/listeners.ts";
import type { SourceEncounters } from "../signals/spans.ts";
import type { GeofenceSet } from "./geofence-set.ts";
import type { Shape } from "./geometry.ts";
import type { Motion } from "./motion.ts";
import type { PastPart } from "./past.ts";
import type { LiveSettings, Outputs } from "./types.ts";
import type { ZoneIndex } from "./zone-index.ts";

export type Rings = readonly (readonly number[])[];

export interface PartitionState {
  readonly partition: number;
  readonly sources: Map<string, Source>;
  /** By id alone: of several data sources' tracks the one seen last (twins.ts). */
  readonly tracks: Map<string, Track>;
  /** In the order of their last detections in the log. */
  readonly live: TrackList;
  /** Ended tracks, and those without a detection yet, in the order in which they will be forgotten. */
  readonly resting: TrackList;
  readonly zones: Map<string, LiveZone>;
  /** The geofences are those of the catalog up to this offset; -1 = none; NaN = as the broker's time of the next message says. */
  geofencesUpTo: number;
  /** null = must be looked up before the next position. */
  geofences: GeofenceSet | null;
  /** The tracks with a stay in a geofence. */
  readonly inGeofences: Map<string, Set<Track>>;
  /** Ended by the fold itself, and the log is not known to hold their expiries. */
  readonly owing: Set<Track>;
  /** Expiries of forgotten tracks that the owner has to write; each carries the offset that its author had read up to. */
  endsOfForgotten: TrackExpired[];
  /** Offset of the newest folded message; -1 before the first. */
  offset: number;
  /** The log's own clock: broker time of the newest folded message; -Infinity before the first. */
  recordedAt: number;
  /** All that is live or held, and not asked to expire, was heard at this broker time or later; -Infinity = unknown. */
  quietSince: number;
  /** Where the search for data sources to forget continues. */
  sourceCursor: Iterator<Source>;
  /** Signals of messages before this offset, and ends of tracks forgotten before it, were written by an earlier owner, and are not again. */
  signalsFrom: number;
  /** The changes that takeTouched has to write. Tracks also have a flag, because they change with every detection. */
  readonly dirtyTracks: Track[];
  /** Fields of tracks that the store must no longer have, unless a track is written there. */
  readonly emptiedFields: Set<string>;
  readonly dirtySources: Set<Source>;
  readonly dirtyZones: Set<string>;
  /** By the name of its text; null = the entry is gone. */
  readonly dirtyPast: Map<string, PastPart | null>;
}

export interface TrackList {
  first: Track | null;
  last: Track | null;
  size: number;
}

export interface Source {
  readonly dataSourceId: string;
  /** Timestamp of the last detection in its newest message; no maximum, so it follows a clock set back. For `held`. */
  clock: number;
  /** Broker time of its newest message from the camera; NaN before the first. */
  recordedAt: number;
  readonly tracks: Map<string, Track>;
  readonly zones: Map<string, LiveZone>;
  /** Vertices of all its zones. */
  zoneVertices: number;
  /** null = must be built before the next look-up. */
  index: ZoneIndex | null;
  /** Detections and ends that wait for their turn, sorted by (at, arrival). Empty without a reorder time. */
  held: Held[];
  /** End times returned by dueExpiries that have not come back in the log yet. Not stored: asking twice is harmless. */
  readonly pendingEnds: Map<string, number>;
  /** null = no subscription asked for the interactions of its tracks yet. */
  encounters: SourceEncounters | null;
}

/** A detection, or (detection null) the explicit end of a track. */
export interface Held {
  readonly at: number;
  readonly recordedAt: number;
  readonly trackId: string;
  readonly detection: Detection | null;
  readonly endTime: number | null;
}

/** header: no detection yet; expired: timed out, which a detection can take back; ended: by an explicit end. */
export type Phase = "header" | "live" | "expired" | "ended";

export interface Track {
  readonly trackId: string;
  readonly source: Source;
  /** The tracks of this partition with this id, itself among them; null = there is no other. */
  twins: Set<Track> | null;
  tag: string;
  startTime: number;
  /** The newest explicit end, even if later detections have overtaken it. */
  endTime: number;
  /** REST's track_end: last detection + time to live, or the explicit end; NaN while live. */
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
  /** In geofences, sorted by geofence id. */
  stays: Stay[];
  history: PastIntersection[];
  sequence: ZoneEntry[];
  /** How many entries `history` and `sequence` have had in this stretch. */
  past: Record<keyof PastEntries, number>;
  /** null = no subscription asked for its interactions yet. */
  encounters: Encounters | null;
  /** Offset of the last detection's message, and its number in it: the order of updates across tracks. */
  seenOffset: number;
  seenIndex: number;
  /** The fold ended it at the message with this offset, and the log is not known to hold its expiry; NaN = it owes none. */
  endOwedAt: number;
  /** Broker time and position in the log at which it began to rest. */
  restRecordedAt: number;
  restOffset: number;
  restIndex: number;
  /** Its neighbours in the list of live or of resting tracks. */
  previous: Track | null;
  next: Track | null;
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
  /** The end published when the track ended. It stays, because an expiry can be taken back. NaN = open. */
  endedAt: number;
}

export interface Stay {
  readonly geofenceId: string;
  /** Of the intersection. */
  readonly id: string;
  /** First detection inside. */
  readonly startTime: number;
  lastInside: number;
  /** Event time of the last START or UPDATE. */
  emittedAt: number;
  /** The end published when the track ended; NaN = open. */
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

/** An entry of each of the lists that are stored apart from their track (past.ts). */
export interface PastEntries {
  readonly history: PastIntersection;
  readonly sequence: ZoneEntry;
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
  /** By subscription, of those that are told of changed compositions only; null = of none. */
  compositions: Map<string, Composition> | null;
  /** Event time of the last entry or exit; the tracks themselves record the updates while they stay inside. */
  updatedAt: number;
  triggerTrackId: string | null;
  triggerTag: string | null;
  triggerOffset: number;
  triggerIndex: number;
}

/** What a subscription was told last of an occupied zone. */
export interface Composition {
  /** When the subscription was made: another one with its id begins anew. */
  readonly since: number;
  /** JSON of [tag, count], by tag. */
  readonly counts: string;
  readonly at: number;
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
  /** Geofences looked at since the last rest, and signals, which cost as much as many of them. */
  looked: number;
  /** Who is to be told of the message's data source. */
  listeners: Listeners | undefined;
  /** How many signals each subscription has had of this message. */
  raised: Map<string, number> | undefined;
  /** What changed in zones since the last comparison of compositions. */
  frame: Frame | undefined;
}

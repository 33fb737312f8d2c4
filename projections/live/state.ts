// The live state of one partition: plain mutable objects, owned by one loop. Times are ms since the epoch; an unknown
// number is NaN (null in JSON), so that fields keep one representation in memory.
import type { Detection, TrackExpired, Zone } from "../../schemas/events.ts";
import type { Rings, Shape } from "../geometry/shape.ts";
import type { GeofenceSet } from "./geofence-set.ts";
import type { Slot, SourceListener, TrackSlot } from "./listener.ts";
import type { Motion } from "./motion.ts";
import type { Outputs } from "./outputs.ts";
import type { PastPart } from "./past.ts";
import type { LiveSettings } from "./types.ts";
import type { ZoneIndex } from "./zone-index.ts";

export interface PartitionState {
  readonly partition: number;
  readonly sources: Map<string, Source>;
  /** The tracks by id alone. When several data sources have one with the id, it is the one seen last (twins.ts). */
  readonly tracks: Map<string, Track>;
  /** The live tracks in the order of their last detections in the log. */
  readonly live: TrackList;
  /** Ended tracks, and those without a detection yet, in the order in which they will be forgotten. */
  readonly resting: TrackList;
  readonly zones: Map<string, LiveZone>;
  /**
   * Offset of the catalog as of which the geofences apply; -1 before the first change of a geofence; NaN until the
   * broker time of the next message decides it.
   */
  geofencesUpTo: number;
  /** Null until it is looked up for the next position. */
  geofences: GeofenceSet | null;
  /** The tracks with a stay in each geofence, by its id. */
  readonly inGeofences: Map<string, Set<Track>>;
  /** Tracks that the fold itself ended, and whose expiries the log is not known to have. */
  readonly owing: Set<Track>;
  /** Expiries of forgotten tracks that the owner must write. Each has the offset up to which its author had read. */
  endsOfForgotten: TrackExpired[];
  /** Offset of the newest folded message; -1 before the first. */
  offset: number;
  /** The log's own clock: broker time of the newest folded message; -Infinity before the first. */
  recordedAt: number;
  /**
   * A lower bound of broker time: every live or held track whose expiry is not pending sent its newest message then or
   * later; -Infinity when unknown.
   */
  quietSince: number;
  /** Place at which the search for data sources to forget continues. */
  sourceCursor: Iterator<Source>;
  /**
   * Signals of messages before this offset, and ends of tracks forgotten before it, were written by an earlier owner
   * and are not written again.
   */
  signalsFrom: number;
  /** The changes that takeTouched must write. Tracks also have a flag, because they change with every detection. */
  readonly dirtyTracks: Track[];
  /** Fields of tracks that the store must delete, unless a track is written there. */
  readonly emptiedFields: Set<string>;
  readonly dirtySources: Set<Source>;
  readonly dirtyZones: Set<string>;
  /** The changed entries by the names of their texts. Null when the entry is gone. */
  readonly dirtyPast: Map<string, PastPart | null>;
}

export interface TrackList {
  first: Track | null;
  last: Track | null;
  size: number;
}

export interface Source {
  readonly dataSourceId: string;
  /**
   * Timestamp of the last detection in its newest message. It is no maximum, so it follows a clock that was set back.
   * Used for `held`.
   */
  clock: number;
  /** Broker time of its newest message from the camera; NaN before the first. */
  recordedAt: number;
  readonly tracks: Map<string, Track>;
  readonly zones: Map<string, LiveZone>;
  /** Vertices of all its zones. */
  zoneVertices: number;
  /** Null until it is built for the next look-up. */
  index: ZoneIndex | null;
  /** Detections and ends that wait for their turn, sorted by (at, arrival). Empty without a reorder time. */
  held: HeldDetection[];
  /**
   * End times, by track id, that `dueExpiries` has returned and the fold has not read back from the log yet. They are
   * not stored: an owner writes them again when it has read the log up to its end and has not found them.
   */
  readonly pendingEnds: Map<string, number>;
  /** Memory of the fold's listener. It is not stored: the listener makes it again from the slots of the tracks. */
  slot: object | null;
}

/** A detection, or the explicit end of a track when `detection` is null. */
export interface HeldDetection {
  readonly at: number;
  readonly recordedAt: number;
  readonly trackId: string;
  readonly detection: Detection | null;
  readonly endTime: number | null;
}

/**
 * A track in `header` has no detection yet. One that is `expired` timed out, which a detection can take back. One that
 * is `ended` has an explicit end.
 */
export type Phase = "header" | "live" | "expired" | "ended";

export interface Track {
  readonly trackId: string;
  readonly source: Source;
  /**
   * The tracks of this partition with this id, itself among them (../track/twin-heap.ts). Null when there is no other.
   */
  twins: Track[] | null;
  /** The index of this track in `twins`. */
  twinAt: number;
  tag: string;
  startTime: number;
  /** The newest explicit end, even if later detections have overtaken it. */
  endTime: number;
  /** The track_end of the REST interface: last detection + time to live, or the explicit end; NaN while live. */
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
  /** The stays in geofences, sorted by geofence id. */
  stays: GeofenceStay[];
  history: PastIntersection[];
  sequence: ZoneEntry[];
  /** Number of entries that `history` and `sequence` have had in this stretch. */
  past: Record<keyof PastEntries, number>;
  /** Memory of the fold's listener about this track (listener.ts). */
  slot: TrackSlot | null;
  /** Offset of the last detection's message, and its number in it: the order of updates across tracks. */
  seenOffset: number;
  seenIndex: number;
  /**
   * Offset of the message at which the fold ended the track, while the log is not known to have its expiry; NaN when no
   * expiry is owed.
   */
  endOwedAt: number;
  /**
   * End time of the newest expiry that an owner has written and the fold has not read yet; NaN when there is none. The
   * present owner may not have read that part of the log.
   */
  writtenEnd: number;
  /** Broker time and position in the log at which the track began to rest. */
  restRecordedAt: number;
  restOffset: number;
  restIndex: number;
  /** The neighbours in the list of live or of resting tracks. */
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
  /** The place of the newest detection inside. */
  x: number;
  y: number;
  longitude: number;
  latitude: number;
  geoAt: number;
  readonly motion: Motion;
  geoMotion: Motion | null;
  /** Time of the first detection of the present run outside (exit delay), else NaN. */
  outsideSince: number;
  exit: ExitPosition | null;
  /** The end published when the track ended. It is kept, because an expiry can be taken back. NaN while open. */
  endedAt: number;
}

export interface GeofenceStay {
  readonly geofenceId: string;
  /** Id of the geofence intersection. */
  readonly id: string;
  /** First detection inside. */
  readonly startTime: number;
  lastInside: number;
  /** Event time of the last START or UPDATE. */
  emittedAt: number;
  /** The end published when the track ended. NaN while open. */
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
  /** Index of the zone in the list of its source, which is sorted by zone id. */
  rank: number;
  readonly activeTracks: Set<string>;
  /** Memory of the fold's listener about this zone (listener.ts). */
  slot: Slot | null;
  /** Event time of the last entry or exit; the tracks themselves record the updates while they stay inside. */
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
  /** Number of outputs so far. */
  outputs: number;
  /** Number of detections and ends folded so far. */
  folded: number;
  /** Number of geofences tested since the last pause, and of signals, which each cost as much as many geofences. */
  workSincePause: number;
  /** Undefined while the fold applies the message to a data source that no listener follows. */
  listener: SourceListener | undefined;
  /** Number of signals that this message has raised, by subscription. Only the listener uses it. */
  raised: Map<string, number> | undefined;
}

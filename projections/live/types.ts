// Inputs and outputs of the fold of the camera-log.
import type {
  CameraLogEvent,
  GeofenceIntersectionChanged,
  ZoneIntersectionChanged,
  ZoneVersion,
} from "../../schemas/events.ts";
import type { SignalRaised } from "../../schemas/records/signal-raised.ts";
import type { Subscriptions } from "../signals/listeners.ts";
import type { Geofences } from "./geofences.ts";

export interface LiveSettings {
  /** A track with a longer gap than this between two detections has expired. */
  readonly trackTtlMs: number;
  /** How long detections are held, in event time, to be folded in timestamp order; 0 = not at all. */
  readonly reorderMs: number;
  /** Least event time between two messages about one track and zone while it is inside. */
  readonly updateIntervalMs: number;
  /** How long an ended track is remembered, in broker time. */
  readonly forgetAfterMs: number;
  /** Most ended tracks that a partition remembers; those that ended first go first. */
  readonly rememberedTracks: number;
  /** Most vertices that the zones of one data source may have together. */
  readonly maxSourceVertices: number;
  /** Must have been read up to every offset of the catalog that a folded message names. */
  readonly geofences: Geofences;
  readonly subscriptions: Subscriptions;
}

export interface RecordedEvent {
  readonly offset: number;
  /** Broker time, ms. */
  readonly recordedAt: number;
  readonly message: CameraLogEvent;
}

export interface Outputs {
  readonly intersections: ZoneIntersectionChanged[];
  readonly geofenceIntersections: GeofenceIntersectionChanged[];
  readonly zoneVersions: ZoneVersion[];
  readonly signals: SignalRaised[];
  /** Length of the states in `signals`: a track's may be long, and a detection may raise many. */
  signalCharacters: number;
  /** Vertices in `zoneVersions`: a new name of a zone repeats its whole polygon. */
  zoneVertices: number;
  /** Detections older than the last of their track. */
  late: number;
  duplicates: number;
}

export const noOutputs = (): Outputs => ({
  intersections: [],
  geofenceIntersections: [],
  zoneVersions: [],
  signals: [],
  signalCharacters: 0,
  zoneVertices: 0,
  late: 0,
  duplicates: 0,
});

/** The changes of one batch, as JSON by id; null = delete. */
export interface Touched {
  readonly tracks: Map<string, string | null>;
  readonly sources: Map<string, string | null>;
  readonly zones: Map<string, string | null>;
  /** Of tracks: past.ts. */
  readonly past: Map<string, string | null>;
}

/** In the order in which they are read back. */
export const textKinds = ["sources", "zones", "tracks", "past"] as const satisfies readonly (keyof Touched)[];

export const nothingTouched = (): Touched => ({
  tracks: new Map(),
  sources: new Map(),
  zones: new Map(),
  past: new Map(),
});

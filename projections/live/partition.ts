// The fold of one partition of the camera-log: what each message does to the live state of its cameras' tracks and
// zones, and what it gives out. Pure but for the state it is handed: no clock, no I/O.
import type { CameraLogEvent, TrackEnded, ZoneIntersectionChanged, ZoneVersion } from "../../schemas/events.ts";

export interface LiveSettings {
  /** A track with a longer gap than this between detections has expired. */
  readonly trackTtlMs: number;
  /** How long detections are held to be folded in timestamp order, in event time; 0 = not at all. */
  readonly reorderMs: number;
  /** Least event time between two messages about one track and zone while it is inside. */
  readonly updateIntervalMs: number;
  /** How long an ended track is remembered, in event time. */
  readonly forgetAfterMs: number;
}

export interface RecordedEvent {
  readonly offset: number;
  /** Broker time, ms. */
  readonly recordedAt: number;
  readonly message: CameraLogEvent;
}

export interface Outputs {
  readonly intersections: ZoneIntersectionChanged[];
  readonly zoneVersions: ZoneVersion[];
  late: number;
  duplicates: number;
}

/** What one batch changed, as JSON by key; null = delete the key. */
export interface Touched {
  readonly tracks: Map<string, string | null>;
  readonly sources: Map<string, string | null>;
  readonly zones: Map<string, string | null>;
}

export interface PartitionState {
  readonly partition: number;
}

export function createPartition(partition: number): PartitionState {
  return { partition };
}

/** Folds one message into `state` and appends what follows from it to `out`. */
export function apply(_state: PartitionState, _recorded: RecordedEvent, _settings: LiveSettings, _out: Outputs): void {}

/** Tracks due to expire, each returned once; `wallNowMs` counts only for sources that have been silent. */
export function dueExpiries(_state: PartitionState, _wallNowMs: number, _settings: LiveSettings): TrackEnded[] {
  return [];
}

/** What was changed since the last call. */
export function takeTouched(_state: PartitionState): Touched {
  return { tracks: new Map(), sources: new Map(), zones: new Map() };
}

/** The whole state, for rewriting a lost store. */
export function everything(_state: PartitionState): Touched {
  return { tracks: new Map(), sources: new Map(), zones: new Map() };
}

/** The state that `everything` (or all `takeTouched` since the beginning, one over the other) wrote. */
export function restore(
  partition: number,
  _stored: Readonly<Record<"tracks" | "sources" | "zones", Iterable<string>>>,
): PartitionState {
  return createPartition(partition);
}

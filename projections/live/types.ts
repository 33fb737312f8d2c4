// Settings and inputs of the fold of the camera-log, and its texts.
import type { CameraLogEvent } from "../../schemas/events.ts";
import type { Geofences } from "./geofences.ts";
import type { LiveListener } from "./listener.ts";

export interface LiveSettings {
  /** A track with a longer gap than this between two detections has expired. */
  readonly trackTtlMs: number;
  /** Event time for which detections are held, to be folded in timestamp order; 0 when they are not held. */
  readonly reorderMs: number;
  /** Minimum event time between two messages about one track and zone while it is inside. */
  readonly updateIntervalMs: number;
  /** Broker time for which an ended track is remembered, ms. */
  readonly forgetAfterMs: number;
  /** The maximum number of ended tracks that a partition remembers; those that ended first are forgotten first. */
  readonly rememberedTracks: number;
  /** The maximum number of vertices that the zones of one data source may have together. */
  readonly maxSourceVertices: number;
  /** Must have been read up to every offset of the catalog that a folded message names. */
  readonly geofences: Geofences;
  /** Undefined when nobody follows the fold. */
  readonly listener: LiveListener | undefined;
}

export interface RecordedEvent {
  readonly offset: number;
  /** Broker time, ms. */
  readonly recordedAt: number;
  readonly message: CameraLogEvent;
}

/** The changes of one batch, as JSON by id. Null deletes the text. */
export interface Touched {
  readonly tracks: Map<string, string | null>;
  readonly sources: Map<string, string | null>;
  readonly zones: Map<string, string | null>;
  /** The pasts of tracks (past.ts). */
  readonly past: Map<string, string | null>;
}

/** The kinds in the order in which they are read back. */
export const textKinds = ["sources", "zones", "tracks", "past"] as const satisfies readonly (keyof Touched)[];

export const nothingTouched = (): Touched => ({
  tracks: new Map(),
  sources: new Map(),
  zones: new Map(),
  past: new Map(),
});

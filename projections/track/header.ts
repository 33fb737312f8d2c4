import type { TrackProperties } from "../../schemas/events.ts";

/** What is known of a track without its detections. */
export interface TrackHeader {
  readonly trackId: string;
  readonly dataSourceId: string;
  /** "" when the log has detections of the track but no creation. */
  readonly tag: string;
  /** The one that was said, else the first detection. */
  readonly startTime: number;
  readonly endTime: number | null;
  readonly modelId: string | null;
  readonly properties: TrackProperties | null;
  /** JSON text. */
  readonly metadata: string | null;
}

/** null: the track has no detection. */
export interface DetectionSpan {
  readonly firstDetectionAt: number | null;
  readonly lastDetectionAt: number | null;
}

/** A track as a client is shown it. It has the span only where all detections are known. */
export type ShownTrack = TrackHeader & Partial<DetectionSpan>;

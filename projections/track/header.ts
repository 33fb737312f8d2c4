import type { TrackProperties } from "../../schemas/events.ts";

/** The fields of a track without its detections. */
export interface TrackHeader {
  readonly trackId: string;
  readonly dataSourceId: string;
  /** "" when the log has detections of the track but no creation. */
  readonly tag: string;
  /** The start that a creation or an update set, else the first detection. */
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

/** A track as clients see it. It has the span only where all its detections are known. */
export type ShownTrack = TrackHeader & Partial<DetectionSpan>;

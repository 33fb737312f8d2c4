import type { TrackCreated } from "../../schemas/events.ts";

/**
 * The fields of a track without its detections. The tag is "" when the log has detections of the track but no creation;
 * the start is the one that a creation or an update set, else the first detection.
 */
export type TrackHeader = Omit<TrackCreated, "detections">;

/** null: the track has no detection. */
export interface DetectionSpan {
  readonly firstDetectionAt: number | null;
  readonly lastDetectionAt: number | null;
}

/** A track as clients see it. It has the span only where all its detections are known. */
export type ShownTrack = TrackHeader & Partial<DetectionSpan>;

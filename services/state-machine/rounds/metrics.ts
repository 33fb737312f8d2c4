// The metrics of the fold.
import { counter, durations, observedGauge, sizes } from "../../common/metrics/define.ts";

export const foldSeconds = durations("fold_seconds", "Time for which one portion of a partition is folded.");

export const foldedMessages = counter("folded_messages_total", "Offsets of the camera log that were folded.");

export const skippedMessages = counter("skipped_messages_total", "Messages that the fold could not read.");

export const lateDetections = counter(
  "late_detections_total",
  "Detections without effect, because they came too late.",
);

export const duplicateDetections = counter(
  "duplicate_detections_total",
  "Detections without effect, because the fold had them already.",
);

export const reopenedTracks = counter(
  "reopened_tracks_total",
  "Tracks that had ended and that a later detection continued.",
);

export const expiredTracks = counter("expired_tracks_total", "Tracks that were ended after their silence.");

export const roundMessages = sizes(
  "round_messages",
  "Messages that a round writes: intersections, signals, ends of tracks.",
);

export const roundSeconds = durations("round_seconds", "Time until a round is written to Kafka and Redis.");

export const liveTracks = observedGauge("live_tracks", "Tracks in the live state of the partitions of this process.");

import type { TrackCreated, TrackProperty } from "../../schemas/events.ts";

/**
 * The fields of a track without its detections. The tag is "" when the log has detections of the track but no creation.
 * The start is the one that a creation or an update set, else the time of the first detection.
 */
export type TrackHeader = Omit<TrackCreated, "detections">;

/** Both times are null when the track has no detection. */
export interface DetectionSpan {
  readonly firstDetectionAt: number | null;
  readonly lastDetectionAt: number | null;
}

/** A track as clients see it. It has the span only when all its detections are known. */
export type ShownTrack = TrackHeader & Partial<DetectionSpan>;

/**
 * Characters that a memory of many headers may use for each, on average; most headers are smaller. 100 000 tracks have
 * 100 million characters at most.
 */
export const MEAN_CHARACTERS = 1_000;

/** An empty property takes as much memory as this many characters. */
const PROPERTY_CHARACTERS = 100;

/** The memory that a header takes, in characters, without the part that all headers have in common. */
export function headerCharacters(header: Omit<TrackHeader, "startTime" | "endTime">): number {
  const { trackId, dataSourceId, tag, modelId, properties, metadata } = header;
  let sum = trackId.length + dataSourceId.length + tag.length + (modelId?.length ?? 0) + (metadata?.length ?? 0);
  for (const property of properties?.attributes ?? []) sum += propertyCharacters(property);
  return properties?.identifier == null ? sum : sum + propertyCharacters(properties.identifier);
}

const propertyCharacters = ({ type, value }: TrackProperty): number => PROPERTY_CHARACTERS + type.length + value.length;

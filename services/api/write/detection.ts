// Checks a client's detection and converts it to that of an event.
import type { Locate } from "../../../projections/catalog/locate.ts";
import { checkDirection, checkMetadataSize, checkPosition } from "../../../schemas/checks.ts";
import { badInput, type InputPath, refuse, refusedAt } from "../../../schemas/errors.ts";
import type { Detection, GeoPosition } from "../../../schemas/events.ts";
import type { GeoJsonPointInput, TrackDetectionInput } from "../../../schemas/graphql/inputs.ts";
import { limits } from "../../../schemas/limits.ts";
import { createSlices } from "../../common/slices.ts";
import { crsOf, isDeeper } from "./json.ts";
import { parseOutline } from "./polygon.ts";
import { checkInstant, type TimeBounds } from "./time.ts";

const FULL_CIRCLE = 360;
const paths = {
  timestamp: ["timestamp"],
  polygon: ["polygon"],
  position: ["position"],
  direction: ["direction"],
  metadata: ["metadata"],
} as const;
/** Order of a point's coordinates. */
const axes: readonly unknown[] = ["longitude", "latitude", "altitude"];

interface TrackStart {
  readonly trackId: string;
  readonly dataSourceId: string;
  readonly startTime: number;
}

/** Shared by the detections of one mutation, so that a detection computes its path only when it is refused. */
export interface DetectionIntake {
  readonly bounds: TimeBounds;
  /** Returns the path of the detection with this number. */
  readonly pathOf: (index: number) => InputPath;
  /** Computes the position of a detection without one from its camera's calibration. */
  readonly locate: Locate;
}

/** Throws BAD_USER_INPUT with the path of the field at fault. */
export function toDetection(
  input: TrackDetectionInput,
  index: number,
  { trackId, dataSourceId, startTime }: TrackStart,
  { bounds, pathOf, locate }: DetectionIntake,
): Detection {
  const { timestamp, polygon, position, direction, metadata } = input;
  try {
    checkInstant(timestamp, bounds, paths.timestamp);
    if (timestamp < startTime) throw badInput("the detection is before the track's start", paths.timestamp);
    const outline = polygon == null ? null : parseOutline(polygon, bounds.maxDetectionVertices, paths.polygon);
    const located = outline === null || position != null ? null : locate(dataSourceId, timestamp, outline);
    return {
      trackId,
      timestamp,
      polygon: outline,
      position: position == null ? located : toPosition(position, paths.position),
      direction: direction == null ? null : normalise(direction),
      metadata: parseMetadata(metadata, paths.metadata),
    };
  } catch (error) {
    throw refusedAt(pathOf(index), error);
  }
}

/** Converts the detections of one track, with pauses: thousands of large outlines take long. */
export async function toDetections(
  inputs: readonly TrackDetectionInput[],
  track: TrackStart,
  door: DetectionIntake,
): Promise<Detection[]> {
  const slices = createSlices();
  const detections: Detection[] = [];
  for (const [i, input] of inputs.entries()) {
    if (slices.isOver()) await slices.next();
    detections.push(toDetection(input, i, track, door));
  }
  return detections;
}

/**
 * Returns the JSON text of any JSON value.
 * @returns null when there is no value.
 */
export function parseMetadata(value: unknown, path: InputPath): string | null {
  if (value === null || value === undefined) return null;
  if (isDeeper(value, limits.maxMetadataDepth)) {
    throw badInput(`metadata is nested deeper than ${limits.maxMetadataDepth} levels`, path);
  }
  const text = JSON.stringify(value);
  const flaw = checkMetadataSize(text);
  if (flaw !== undefined) throw badInput(`metadata has ${flaw.reason}`, path);
  return text;
}

/** `path` is the path of the point. */
export function toPosition(input: GeoJsonPointInput, path: InputPath): GeoPosition {
  const { type, coordinates } = input;
  if (type !== "Point") throw badInput("type must be 'Point'", [...path, "type"]);
  const [longitude, latitude, altitude] = coordinates;
  if (longitude === undefined || latitude === undefined || coordinates.length > 3) {
    throw badInput("a point is longitude, latitude and, if known, altitude", [...path, "coordinates"]);
  }
  const position = { longitude, latitude, altitude: altitude ?? null, crs: crsOf(input, path) };
  const flaw = checkPosition(position);
  if (flaw === undefined) return position;
  throw badInput(flaw.reason, [...path, "coordinates", axes.indexOf(flaw.path[0])]);
}

/** Brings degrees into [0, 360). */
function normalise(direction: number): number {
  refuse(checkDirection(direction), paths.direction);
  return ((direction % FULL_CIRCLE) + FULL_CIRCLE) % FULL_CIRCLE;
}

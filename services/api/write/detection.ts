// One detection at the door.
import { limits } from "../../../schemas/checks.ts";
import { badInput } from "../../../schemas/errors.ts";
import type { Detection, GeoPosition } from "../../../schemas/events.ts";
import { createSlices } from "../../common/slices.ts";
import type { PointInput, TrackDetectionInput } from "./input-types.ts";
import { parseOutline } from "./polygon.ts";
import { checkInstant, type DoorBounds } from "./time.ts";

type Path = readonly (string | number)[];

const FULL_CIRCLE = 360;

/** Throws BAD_USER_INPUT with the path of the field at fault. */
export function parseDetection(
  trackId: string,
  input: TrackDetectionInput,
  startTime: number,
  bounds: DoorBounds,
  path: Path,
): Detection {
  checkInstant(input.timestamp, bounds, [...path, "timestamp"]);
  if (input.timestamp < startTime) throw badInput("the detection is before the track's start", [...path, "timestamp"]);
  return {
    trackId,
    timestamp: input.timestamp,
    polygon:
      input.polygon == null ? null : parseOutline(input.polygon, bounds.maxDetectionVertices, [...path, "polygon"]),
    position: input.position == null ? null : parsePosition(input.position, [...path, "position"]),
    direction: input.direction == null ? null : normalise(input.direction, [...path, "direction"]),
    metadata: parseMetadata(input.metadata, [...path, "metadata"]),
  };
}

/** Those of one track, with pauses: thousands of large outlines take long. */
export async function parseDetections(
  trackId: string,
  inputs: readonly TrackDetectionInput[],
  startTime: number,
  bounds: DoorBounds,
  path: Path,
): Promise<Detection[]> {
  const slices = createSlices();
  const detections: Detection[] = [];
  for (const [i, input] of inputs.entries()) {
    if (slices.isOver()) await slices.next();
    detections.push(parseDetection(trackId, input, startTime, bounds, [...path, i]));
  }
  return detections;
}

/** JSON text of any JSON value; null stands for none. */
export function parseMetadata(value: unknown, path: Path): string | null {
  if (value === null || value === undefined) return null;
  if (isDeeper(value, limits.maxMetadataDepth)) {
    throw badInput(`metadata is nested deeper than ${limits.maxMetadataDepth} levels`, path);
  }
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > limits.maxMetadataBytes) {
    throw badInput(`metadata is larger than ${limits.maxMetadataBytes} bytes`, path);
  }
  return text;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

function parsePosition({ type, coordinates, crs }: PointInput, path: Path): GeoPosition {
  if (type !== "Point") throw badInput("type must be 'Point'", [...path, "type"]);
  const [longitude, latitude, altitude] = coordinates;
  if (longitude === undefined || latitude === undefined || coordinates.length > 3) {
    throw badInput("a point is longitude, latitude and, if known, altitude", [...path, "coordinates"]);
  }
  if (!(longitude >= -180 && longitude <= 180))
    throw badInput("longitude outside -180 to 180", [...path, "coordinates", 0]);
  if (!(latitude >= -90 && latitude <= 90)) throw badInput("latitude outside -90 to 90", [...path, "coordinates", 1]);
  if (altitude !== undefined && !Number.isFinite(altitude)) {
    throw badInput("altitude is not a finite number", [...path, "coordinates", 2]);
  }
  return { longitude, latitude, altitude: altitude ?? null, crs: crs == null ? null : JSON.stringify(crs) };
}

/** Degrees into [0, 360). */
function normalise(direction: number, path: Path): number {
  if (!Number.isFinite(direction)) throw badInput("direction is not a finite number", path);
  return ((direction % FULL_CIRCLE) + FULL_CIRCLE) % FULL_CIRCLE;
}

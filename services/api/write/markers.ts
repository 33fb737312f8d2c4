// Checks the markers of a client's calibration.
import type { CalibrationMarker, Pixel } from "../../../schemas/catalog/device-calibration.ts";
import { badInput, type InputPath } from "../../../schemas/errors.ts";
import type { DeviceCalibrationMarkerInput, GeoJsonPointInput } from "../../../schemas/graphql/inputs.ts";
import { toPosition } from "./detection.ts";
import { checkText } from "./text.ts";

/**
 * Maximum number of markers. Four of them determine the mapping from pixels to places. More make it more exact, but
 * hundreds do not.
 */
const MAX_MARKERS = 100;

export function parseMarkers(inputs: readonly DeviceCalibrationMarkerInput[], path: InputPath): CalibrationMarker[] {
  if (inputs.length === 0) throw badInput("there is no marker", path);
  if (inputs.length > MAX_MARKERS) throw badInput(`there are more than ${MAX_MARKERS} markers`, path);
  return inputs.map(({ name, position, pixel }, i) => ({
    name: checkText(name, [...path, i, "name"]),
    position: toPosition(position, [...path, i, "position"]),
    pixel: toPixel(pixel, [...path, i, "pixel"]),
  }));
}

function toPixel({ type, coordinates, crs }: GeoJsonPointInput, path: InputPath): Pixel {
  if (type !== "Point") throw badInput("type must be 'Point'", [...path, "type"]);
  const [x, y] = coordinates;
  if (x === undefined || y === undefined || coordinates.length > 2) {
    throw badInput("a pixel is x and y", [...path, "coordinates"]);
  }
  if (crs != null) throw badInput("a pixel has no crs", [...path, "crs"]);
  return { x, y };
}

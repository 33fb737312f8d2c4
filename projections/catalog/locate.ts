// Locates a detection on the Earth by the calibration of its camera.
import type { GeoPosition, Polygon } from "../../schemas/events.ts";
import { RADIANS } from "../geometry/great-circle.ts";
import { type Homography, homographyOf } from "../geometry/homography.ts";
import type { Catalog } from "./catalog.ts";
import type { DeviceCalibration } from "./device-calibration.ts";

/** @returns null when the data source has no calibration for that instant, or the place cannot be computed. */
export type Locate = (dataSourceId: string, timestamp: number, polygon: Polygon) => GeoPosition | null;

type Place = (polygon: Polygon) => GeoPosition | null;

/** A map of a plane needs four pairs of points. */
const MIN_MARKERS = 4;

export function createLocate(catalog: Catalog): Locate {
  /** Calibrations by data source, the newest first. */
  const known = new Map<string, readonly DeviceCalibration[]>();
  /** Places are computed for the first detection that needs them, and cached while the calibration is the same. */
  const places = new WeakMap<DeviceCalibration, { readonly place: Place | undefined }>();
  let version = 0;

  function forgetOld(): void {
    const present = catalog.version("device") + catalog.version("deviceCalibration");
    if (version !== present) known.clear();
    version = present;
  }

  function calibrationsOf(dataSourceId: string): readonly DeviceCalibration[] {
    const found = catalog
      .referring("device", "dataSourceId", dataSourceId)
      .flatMap(({ id }) => catalog.referring("deviceCalibration", "deviceId", id))
      .filter(({ markers }) => markers.length >= MIN_MARKERS)
      .sort((a, b) => b.timestamp - a.timestamp);
    known.set(dataSourceId, found);
    return found;
  }

  function placeOf(calibration: DeviceCalibration): Place | undefined {
    const computed = places.get(calibration) ?? { place: placeBy(calibration) };
    places.set(calibration, computed);
    return computed.place;
  }

  return (dataSourceId, timestamp, polygon) => {
    forgetOld();
    const calibrations = known.get(dataSourceId) ?? calibrationsOf(dataSourceId);
    const present = calibrations.find((each) => each.timestamp <= timestamp);
    return (present && placeOf(present)?.(polygon)) ?? null;
  };
}

/** @returns undefined when the markers do not fix a map. */
export function placeBy({ markers }: Pick<DeviceCalibration, "markers">): Place | undefined {
  const [first] = markers;
  if (first === undefined) return undefined;
  const middle = first.position;
  // Near one place, degrees of longitude times the cosine of the latitude are as long as degrees of latitude.
  const shrink = Math.cos(middle.latitude * RADIANS);
  const map = homographyOf(
    markers.map(({ pixel, position }) => ({
      from: [pixel.x, pixel.y],
      to: [turn(position.longitude - middle.longitude) * shrink, position.latitude - middle.latitude],
    })),
  );
  return map && ((polygon) => toPosition(map, bottomCentre(polygon), middle, shrink));
}

function toPosition(map: Homography, foot: readonly [number, number], middle: GeoPosition, shrink: number) {
  const [east, north] = map(foot) ?? [Number.NaN, Number.NaN];
  const latitude = middle.latitude + north;
  const onward = east / shrink;
  // The negation also refuses NaN.
  if (!(Math.abs(latitude) <= 90 && Math.abs(onward) <= 180)) return null;
  return { longitude: turn(middle.longitude + onward), latitude, altitude: null, crs: null };
}

/**
 * The bottom centre of the bounding box, where an upright object touches the ground. The y of pixels grows downwards.
 */
function bottomCentre({ rings: [ring = []] }: Polygon): readonly [number, number] {
  let [left, right, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i + 1 < ring.length; i += 2) {
    const x = ring[i] ?? 0;
    left = Math.min(left, x);
    right = Math.max(right, x);
    bottom = Math.max(bottom, ring[i + 1] ?? 0);
  }
  return [(left + right) / 2, bottom];
}

/** Brings degrees of longitude into [-180, 180]. */
const turn = (degrees: number): number =>
  Math.abs(degrees) <= 180 ? degrees : degrees - 360 * Math.round(degrees / 360);

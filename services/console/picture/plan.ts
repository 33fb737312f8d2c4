// A plan in metres: longitudes and latitudes on a plane that touches the Earth in one place. Across a site, the error
// is far below that of a calibration.
import type { Point } from "./view.ts";

/** The length of a degree of latitude, and of longitude at the equator (WGS 84, mean radius). */
const METRES_PER_DEGREE = 111_195;

/** East is to the right and north is up, so y grows to the south, as on a screen. */
export function planAround([longitude, latitude]: Point): (position: Point) => Point {
  const metresPerLongitude = METRES_PER_DEGREE * Math.cos((latitude * Math.PI) / 180);
  return ([east, north]) => [shortWay(east - longitude) * metresPerLongitude, (latitude - north) * METRES_PER_DEGREE];
}

/** Across the 180th meridian, the other way round the Earth is shorter. */
const shortWay = (degrees: number): number => ((((degrees + 180) % 360) + 360) % 360) - 180;

// The detections of a track, made from ClickHouse's lists.
import type { Detection, Polygon } from "../../schemas/events.ts";
import {
  DETECTION,
  detectionCount,
  rowKind,
  rowTime,
  shapeNumber,
  type TrialTrack,
} from "../history/queries/trial-rows.ts";

const BOX_NUMBERS = 4;

/**
 * Returns a function that makes the detection of a row. `outside` is a polygon for the detections that are outside the
 * zone for certain, whose own were not read.
 */
export function detectionsOf(track: TrialTrack, outside: Polygon): (row: number) => Detection {
  const { trackId } = track;
  const starts = startsOf(track);

  function polygonAt(row: number): Polygon | null {
    const at = starts[row] ?? 0;
    switch (rowKind(track, row)) {
      case DETECTION.OUTSIDE:
        return outside;
      case DETECTION.NEAR_BOX:
        return { rings: [boxAt(track, at)], crs: null };
      case DETECTION.NEAR:
        return { rings: ringsAt(track, at), crs: null };
      default:
        return null;
    }
  }

  return (row) => {
    const timestamp = rowTime(track, row);
    return { trackId, timestamp, polygon: polygonAt(row), position: null, direction: null, metadata: null };
  };
}

/** Returns the index of the first number of each row's shape. */
function startsOf(track: TrialTrack): readonly number[] {
  const starts: number[] = [];
  let at = 0;
  for (let row = 0; row < detectionCount(track); row++) {
    starts.push(at);
    const kind = rowKind(track, row);
    if (kind === DETECTION.NEAR_BOX) at += BOX_NUMBERS;
    if (kind !== DETECTION.NEAR) continue;
    const rings = shapeNumber(track, at);
    let numbers = 0;
    for (let ring = 1; ring <= rings; ring++) numbers += shapeNumber(track, at + ring);
    at += 1 + rings + numbers;
  }
  return starts;
}

function boxAt(track: TrialTrack, at: number): number[] {
  const [x0, y0] = [shapeNumber(track, at), shapeNumber(track, at + 1)];
  const [x1, y1] = [shapeNumber(track, at + 2), shapeNumber(track, at + 3)];
  return [x0, y0, x1, y0, x1, y1, x0, y1, x0, y0];
}

function ringsAt(track: TrialTrack, at: number): number[][] {
  const rings = shapeNumber(track, at);
  let next = at + 1 + rings;
  return Array.from({ length: rings }, (_ring, i) =>
    Array.from({ length: shapeNumber(track, at + 1 + i) }, () => shapeNumber(track, next++)),
  );
}

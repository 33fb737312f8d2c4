// Compares replays of a tracker file with its live signals, in memory: tracks one by one, and some together.
import type { Zone } from "../../../schemas/events.ts";
import type { Sighting } from "../scenes/recording.ts";
import { zone } from "../scenes/zone.ts";
import type { TestZone } from "../scenes/zones-for.ts";
import { type Compared, compareReplays, logOf } from "./replay-equality.ts";

const START = Date.UTC(2026, 0, 1);
/** Sessions of one track each. */
const SINGLE = 12;
const TOGETHER = 5;
/** The state of each zone has all of its tracks, so many zones in a crowd would take very long. */
const ZONES = 5;

export function verifyReplays(sightings: readonly Sighting[], fps: number, zones: readonly TestZone[]): Compared {
  const boxes = sightings.map(({ fileId, frame, box: [left, top, right, bottom] }) => ({
    trackId: `track-${fileId}`,
    at: START + Math.round((frame / fps) * 1_000),
    ring: [left, top, right, top, right, bottom, left, bottom, left, top],
  }));
  const ids = [...new Set(boxes.map(({ trackId }) => trackId))];
  const every = Math.max(1, Math.floor(ids.length / SINGLE));
  const single = ids.filter((_, i) => i % every === 0);
  const together = ids.slice(-TOGETHER);
  return compareReplays(logOf(boxes, zones.slice(0, ZONES).map(zoneOf)), [...single.map((id) => [id]), together]);
}

const zoneOf = ({ name, rings }: TestZone): Zone =>
  zone({ zoneId: name, name, dataSourceId: "cam", polygon: { rings: rings.map((ring) => ring.flat()), crs: null } });

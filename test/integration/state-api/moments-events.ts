// Events of tracks and zones at random, for comparisons of live state at moments.
import type { CameraLogEvent, Detection, Zone } from "../../../schemas/events.ts";
import { detection } from "../../support/scenes/detection.ts";
import { square, zone } from "../../support/scenes/zone.ts";
import { TTL_MS } from "./moments-scene.ts";

const CAMERAS = ["north", "south", "east"];
const TRACKS = ["1", "2", "3", "4", "5"];
const ZONES = ["gate", "hall", "yard", "ramp"];
export const randomPaths = [...TRACKS.map((id) => `/api/tracks/${id}`), ...ZONES.map((id) => `/api/zones/${id}`)];

export function createRandomEvents() {
  /** The data source of each zone, as it was sent last. */
  const sources = new Map(ZONES.map((zoneId, i) => [zoneId, CAMERAS[i % CAMERAS.length] ?? ""]));
  return {
    drawAll: (): CameraLogEvent[] =>
      Array.from(sources, ([zoneId, dataSourceId]) => {
        return { type: "ZoneCreated", event: { zone: zone({ zoneId, dataSourceId, ...anyFields() }) } };
      }),

    next(now: number): CameraLogEvent[] {
      const kind = Math.random();
      if (kind < 0.1) return anyZoneEvents(sources, now);
      return [kind < 0.25 ? anyTrackEvent(choose(CAMERAS), now) : anyDetections(choose(CAMERAS), now)];
    },
  };
}

export const choose = <T>(of: readonly T[]): T => {
  const found = of[Math.floor(Math.random() * of.length)];
  if (found === undefined) throw new Error("nothing to choose from");
  return found;
};

export const isLikely = (share: number): boolean => Math.random() < share;

function anyDetections(dataSourceId: string, now: number): CameraLogEvent {
  const detections = Array.from({ length: 1 + Math.floor(Math.random() * 5) }, (_, i): Detection => {
    const late = isLikely(0.2) ? Math.floor(Math.random() * 2 * TTL_MS) : 0;
    const rings = [square(10, Math.random() * 40, Math.random() * 40).flat()];
    const position = { longitude: 8 + Math.random() / 1e3, latitude: 47, altitude: null, crs: null };
    return detection({
      ...{ trackId: choose(TRACKS), timestamp: now - late + i },
      ...{ polygon: isLikely(0.9) ? { rings, crs: null } : null, position: isLikely(0.3) ? position : null },
    });
  });
  return { type: "DetectionsRecorded", event: { dataSourceId, detections } };
}

export const noHeader = { modelId: null, properties: null, metadata: null, detections: [] };

function anyTrackEvent(dataSourceId: string, now: number): CameraLogEvent {
  const trackId = choose(TRACKS);
  const endTime = isLikely(0.5) ? now + Math.floor((Math.random() - 0.5) * TTL_MS) : null;
  const tag = choose(["person", "car", "bicycle"]);
  if (isLikely(0.5)) {
    return { type: "TrackCreated", event: { trackId, dataSourceId, tag, startTime: now - 50, endTime, ...noHeader } };
  }
  const { modelId: _, ...unset } = noHeader;
  const cleared = endTime === null && isLikely(0.3) ? (["endTime"] as const) : [];
  return { type: "TrackUpdated", event: { trackId, dataSourceId, tag, startTime: null, endTime, cleared, ...unset } };
}

const anyFields = (): Pick<Zone, "polygon" | "active" | "enterDetections" | "exitDelayMs" | "anchor"> => ({
  polygon: { rings: [square(30, Math.random() * 30, Math.random() * 30).flat()], crs: null },
  active: isLikely(0.9),
  anchor: choose(["area", "bottom_center"]),
  enterDetections: choose([1, 1, 2]),
  exitDelayMs: choose([0, 0, 200]),
});

function anyZoneEvents(sources: Map<string, string>, now: number): CameraLogEvent[] {
  const zoneId = choose(ZONES);
  const dataSourceId = sources.get(zoneId) ?? "";
  const kind = Math.random();
  const drawnAt = (at: string): CameraLogEvent => ({
    type: "ZoneCreated",
    event: { zone: zone({ zoneId, dataSourceId: at, ...anyFields(), createdAt: now, updatedAt: now }) },
  });
  const deleted = (movedTo: string | null): CameraLogEvent => ({
    type: "ZoneDeleted",
    event: { zoneId, dataSourceId, deletedAt: now, movedTo, ifUpdatedAt: null },
  });
  if (kind < 0.35) return [drawnAt(dataSourceId)];
  if (kind < 0.7) {
    const set = { name: `${zoneId} ${now % 100}`, ...anyFields() };
    return [
      { type: "ZoneUpdated", event: { zoneId, dataSourceId, updatedAt: now, ifUpdatedAt: null, set, cleared: [] } },
    ];
  }
  if (kind < 0.85) return [deleted(null)];
  const moved = choose(CAMERAS);
  sources.set(zoneId, moved);
  // The zone may stay on its way for a while.
  return isLikely(0.7) ? [deleted(moved), drawnAt(moved)] : [deleted(moved)];
}

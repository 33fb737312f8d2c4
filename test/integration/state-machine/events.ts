// What a camera and whoever draws its zones tell the log.
import type { CameraLogEvent } from "../../../schemas/events.ts";

const SQUARE = { rings: [[0, 0, 10, 0, 10, 10, 0, 10, 0, 0]], crs: null };

export const drawn = (zoneId: string): CameraLogEvent => ({
  type: "ZoneCreated",
  event: {
    zone: {
      zoneId,
      dataSourceId: "cam",
      name: "door",
      polygon: SQUARE,
      active: true,
      createdAt: 1_000,
      updatedAt: 1_000,
      anchor: "area",
      enterDetections: 1,
      exitDelayMs: 0,
    },
  },
});

/** Inside every zone that is drawn here. */
export const seen = (...trackIds: readonly string[]): CameraLogEvent => ({
  type: "DetectionsRecorded",
  event: {
    dataSourceId: "cam",
    detections: trackIds.map((trackId) => ({
      trackId,
      timestamp: Date.now(),
      polygon: SQUARE,
      position: null,
      direction: null,
      metadata: null,
    })),
  },
});

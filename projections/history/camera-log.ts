// The history of the camera-log: tracks and their detections.
import { unreachable } from "../../schemas/errors.ts";
import type { CameraLogEvent, Detection } from "../../schemas/events.ts";
import { detectionsTable } from "./detections.ts";
import { createDetectionHours, detectionsPerHourTable } from "./detections-per-hour.ts";
import type { HistoryKind, KindRows } from "./kind.ts";
import { createTrackChanges } from "./rows/track-changes.ts";
import type { RecordedAt } from "./table.ts";
import { tracksTable } from "./tracks.ts";
import { unsettledTable } from "./unsettled.ts";

export const cameraLogHistory: HistoryKind<"camera-log"> = {
  topic: "camera-log",
  rankedBy: "camera-log",
  tables: [tracksTable, unsettledTable, detectionsTable, detectionsPerHourTable],
  byMonth: [detectionsTable, detectionsPerHourTable],
  createRows,
  rebase: rebaseCameraLog,
};

function createRows(): KindRows<CameraLogEvent> {
  const detections = detectionsTable.collect();
  const hours = createDetectionHours();
  const tracks = createTrackChanges();
  let headers = 0;

  function addDetections(dataSourceId: string, found: readonly Detection[], recorded: RecordedAt): void {
    for (let item = 0; item < found.length; item++) {
      const detection = found[item];
      if (detection === undefined) continue;
      detections.add({ detection, dataSourceId, recorded, item });
      hours.detected(dataSourceId, detection.trackId, detection.timestamp);
      tracks.detected(dataSourceId, detection.trackId, detection.timestamp, recorded);
    }
  }

  return {
    add(message, recorded) {
      switch (message.type) {
        case "TrackCreated":
          tracks.created(message.event, recorded);
          headers += 1;
          return addDetections(message.event.dataSourceId, message.event.detections, recorded);
        case "TrackUpdated":
          tracks.updated(message.event, recorded);
          headers += 1;
          return addDetections(message.event.dataSourceId, message.event.detections, recorded);
        case "TrackExpired":
          headers += 1;
          return tracks.ended(message.event, recorded);
        case "DetectionsRecorded":
          return addDetections(message.event.dataSourceId, message.event.detections, recorded);
        case "ZoneCreated":
        case "ZoneUpdated":
        case "ZoneDeleted":
          // Zones are no part of the history: their readers follow the topic zones.
          return;
        case "GeofencesAdvanced":
          // Geofences are no part of the history either: they are in the catalog.
          return;
        default:
          return unreachable(message);
      }
    },

    /** Number of detections and track events: there is at most one track row for each. */
    size: () => detections.size() + headers,

    byTable() {
      const changes = tracks.changes();
      return [tracksTable.rowsOf(changes), unsettledTable.rowsOf(changes), detections.rows(), hours.rows()];
    },
  };
}

export function rebaseCameraLog(
  message: CameraLogEvent,
  partition: number,
  rankBase: (partition: number) => number,
): CameraLogEvent {
  if (message.type !== "TrackExpired" || message.event.readUpTo === null) return message;
  return { type: message.type, event: { ...message.event, readUpTo: rankBase(partition) + message.event.readUpTo } };
}

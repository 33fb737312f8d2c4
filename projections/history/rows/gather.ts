// Turns events into rows: those that one flush writes.
import type { CameraLogEvent, Detection, ZoneIntersectionChanged } from "../../../schemas/events.ts";
import { detectionsTable } from "../detections.ts";
import { intersectionsTable } from "../intersections.ts";
import type { Recorded, Row, Table } from "../table.ts";
import { tracksTable } from "../tracks.ts";
import { createTrackChanges } from "./track-changes.ts";

export interface TableRows {
  readonly table: Table;
  readonly rows: readonly Row[];
}

export interface Gathered {
  addCameraLog(message: CameraLogEvent, recorded: Recorded): void;
  addIntersection(event: ZoneIntersectionChanged, recorded: Recorded): void;
  /** Detections, intersections and track events; there is at most one track row for each. */
  size(): number;
  /** By table, in an order in which a reader finds a track before its detections; empty tables are left out. */
  byTable(): TableRows[];
}

export function createGathered(): Gathered {
  const detections: Row[] = [];
  const intersections: Row[] = [];
  const tracks = createTrackChanges();
  let headers = 0;

  function addDetections(dataSourceId: string, found: readonly Detection[], recorded: Recorded): void {
    for (let item = 0; item < found.length; item++) {
      const detection = found[item];
      if (detection === undefined) continue;
      detections.push(detectionsTable.row({ ...detection, dataSourceId, recorded, item }));
      tracks.detected(dataSourceId, detection.trackId, detection.timestamp, recorded);
    }
  }

  return {
    addCameraLog(message, recorded) {
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
          // Zones are no history: their readers follow the topic zones.
          return;
        default:
          return unreachable(message);
      }
    },

    addIntersection(event, { recordedAt }) {
      intersections.push(intersectionsTable.row({ event, recordedAt }));
    },

    size: () => detections.length + intersections.length + headers,

    byTable() {
      return [
        { table: tracksTable, rows: tracks.changes().map(tracksTable.row) },
        { table: detectionsTable, rows: detections },
        { table: intersectionsTable, rows: intersections },
      ].filter(({ rows }) => rows.length > 0);
    },
  };
}

function unreachable(message: never): never {
  throw new Error(`no rows for ${JSON.stringify(message)}`);
}

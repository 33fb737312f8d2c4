// Moves the event times of an event, so that a stretch may be imported as if it happened at another time.
import type {
  CameraLogEvent,
  CatalogEvent,
  Detection,
  TrackCreated,
  TrackUpdated,
  Zone,
} from "../../../schemas/events.ts";

export function shifted(message: CameraLogEvent, byMs: number): CameraLogEvent {
  if (byMs === 0) return message;
  switch (message.type) {
    case "DetectionsRecorded":
      return { ...message, event: { ...message.event, detections: moved(message.event.detections, byMs) } };
    case "TrackCreated":
      return { ...message, event: { ...movedTrack(message.event, byMs), startTime: message.event.startTime + byMs } };
    case "TrackUpdated":
      return {
        ...message,
        event: { ...movedTrack(message.event, byMs), startTime: add(message.event.startTime, byMs) },
      };
    case "TrackExpired":
      return { ...message, event: { ...message.event, endTime: message.event.endTime + byMs } };
    case "ZoneCreated":
      return { ...message, event: { zone: movedZone(message.event.zone, byMs) } };
    case "ZoneUpdated": {
      const { updatedAt, ifUpdatedAt } = message.event;
      const times = { updatedAt: updatedAt + byMs, ifUpdatedAt: add(ifUpdatedAt, byMs) };
      return { ...message, event: { ...message.event, ...times } };
    }
    case "ZoneDeleted": {
      const { deletedAt, ifUpdatedAt } = message.event;
      const times = { deletedAt: deletedAt + byMs, ifUpdatedAt: add(ifUpdatedAt, byMs) };
      return { ...message, event: { ...message.event, ...times } };
    }
    case "GeofencesAdvanced":
      return message;
    default:
      return message satisfies never;
  }
}

/** A calibration counts from its time on. Other entities have no time of the scene. */
export function shiftedEntity(message: CatalogEvent, byMs: number): CatalogEvent {
  if (message.type !== "DeviceCalibrationChanged" || message.event.set.timestamp === null) return message;
  const set = { ...message.event.set, timestamp: message.event.set.timestamp + byMs };
  return { ...message, event: { ...message.event, set } };
}

const add = (time: number | null, byMs: number): number | null => (time === null ? null : time + byMs);

const moved = (detections: readonly Detection[], byMs: number): Detection[] =>
  detections.map((detection) => ({ ...detection, timestamp: detection.timestamp + byMs }));

const movedTrack = <T extends TrackCreated | TrackUpdated>(event: T, byMs: number): T => ({
  ...event,
  endTime: add(event.endTime, byMs),
  detections: moved(event.detections, byMs),
});

const movedZone = (zone: Zone, byMs: number): Zone => ({
  ...zone,
  createdAt: zone.createdAt + byMs,
  updatedAt: zone.updatedAt + byMs,
});

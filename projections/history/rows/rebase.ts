// The history ranks events by their offsets. A log that took the place of another begins at 0 again, and the old log
// would outweigh it. So its offsets are counted from a base beyond the old ones.
import type { CameraLogEvent, ZoneIntersectionChanged } from "../../../schemas/events.ts";

/** The event, with its offsets counted from the base. */
export function rebaseCameraLog(message: CameraLogEvent, base: number): CameraLogEvent {
  if (message.type !== "TrackExpired" || message.event.readUpTo === null || base === 0) return message;
  return { type: message.type, event: { ...message.event, readUpTo: base + message.event.readUpTo } };
}

export function rebaseIntersection(event: ZoneIntersectionChanged, base: number): ZoneIntersectionChanged {
  if (base === 0) return event;
  return { ...event, cause: { ...event.cause, offset: base + event.cause.offset } };
}

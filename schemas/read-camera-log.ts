// What every reader of the camera-log does with a message first. All come to the same verdict: the state machine and the
// feed leave a bad message out, the projector puts it among the dead letters.
import { checkEvent } from "./checks.ts";
import type { Codec } from "./codec.ts";
import type { CameraLogEvent, CameraLogType, Typed } from "./events.ts";

export type ReadMessage =
  | { readonly ok: true; readonly message: CameraLogEvent }
  | { readonly ok: false; readonly reason: string };

const cameraLogTypes: ReadonlySet<string> = new Set<CameraLogType>([
  "TrackCreated",
  "TrackUpdated",
  "TrackEnded",
  "DetectionsRecorded",
  "ZoneCreated",
  "ZoneUpdated",
  "ZoneDeleted",
]);

const isCameraLogEvent = (typed: Typed): typed is CameraLogEvent => cameraLogTypes.has(typed.type);

/** Never throws. `recordedAt`: the broker's time of the message, ms. The codec must have learned the value's schema. */
export function readCameraLog(
  codec: Codec,
  value: Buffer | null,
  recordedAt: number,
  maxFutureMs: number,
): ReadMessage {
  const decoded = codec.decode(value);
  if (!decoded.ok) return decoded;
  if (!isCameraLogEvent(decoded)) return { ok: false, reason: `a ${decoded.type} does not belong here` };
  const reason = checkEvent(decoded, recordedAt, maxFutureMs);
  return reason === undefined ? { ok: true, message: decoded } : { ok: false, reason };
}

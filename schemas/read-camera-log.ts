// What every reader of the camera-log does with a message first. All come to the same verdict: the state machine and the
// feed leave out what is senseless, the projector puts the message among the dead letters.
import type { EventBounds } from "./bounds.ts";
import { checkDetection, checkEvent } from "./checks.ts";
import type { Codec } from "./codec.ts";
import type { CameraLogEvent, CameraLogType, Detection, DetectionsRecorded, Typed } from "./events.ts";

export type ReadMessage =
  | {
      readonly ok: true;
      /** Without the detections that were left out. */
      readonly message: CameraLogEvent;
      /** The reason when there are such. */
      readonly leftOut: string | undefined;
    }
  | { readonly ok: false; readonly reason: string };

const cameraLogTypes: ReadonlySet<string> = new Set<CameraLogType>([
  "TrackCreated",
  "TrackUpdated",
  "TrackExpired",
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
  bounds: EventBounds,
): ReadMessage {
  const decoded = codec.decode(value);
  if (!decoded.ok) return decoded;
  if (!isCameraLogEvent(decoded)) return { ok: false, reason: `a ${decoded.type} does not belong here` };
  const reason = checkEvent(decoded, recordedAt, bounds);
  if (reason !== undefined) return { ok: false, reason };
  if (decoded.type === "DetectionsRecorded") return withoutSenseless(decoded.event, recordedAt, bounds);
  return { ok: true, message: decoded, leftOut: undefined };
}

/** Detections of one message may come from many callers: a senseless one takes nothing else with it. */
function withoutSenseless(event: DetectionsRecorded, recordedAt: number, bounds: EventBounds): ReadMessage {
  const { dataSourceId, detections } = event;
  let kept: Detection[] | undefined;
  let first: string | undefined;
  for (let i = 0; i < detections.length; i++) {
    const detection = detections[i];
    if (detection === undefined) continue;
    const reason = checkDetection(detection, recordedAt, bounds);
    if (reason === undefined) {
      kept?.push(detection);
      continue;
    }
    first ??= `detections.${i}.${reason}`;
    kept ??= detections.slice(0, i);
  }
  if (kept === undefined || first === undefined) {
    return { ok: true, message: { type: "DetectionsRecorded", event }, leftOut: undefined };
  }
  if (kept.length === 0) return { ok: false, reason: first };
  const message = { type: "DetectionsRecorded", event: { dataSourceId, detections: kept } } as const;
  const leftOut = `${first} (${detections.length - kept.length} of ${detections.length} detections left out)`;
  return { ok: true, message, leftOut };
}

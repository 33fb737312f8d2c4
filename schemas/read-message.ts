// How every reader takes a message of a topic: it decodes the value, asks whether the record belongs into the topic, and
// checks the event. All readers reach the same verdict: the state machine and the feed skip a message that is refused, the
// projector puts it among the dead letters.
import type { EventBounds } from "./bounds.ts";
import { checkDetection, checkEvent, flawText } from "./checks.ts";
import type { Codec, DecodedAs, Refused } from "./codec.ts";
import type { CameraLogEvent, Detection, DetectionsRecorded, EventType, Typed } from "./events.ts";
import { type RecordOf, type Topic, topics } from "./topics.ts";

export type ReadCameraLog =
  | {
      readonly ok: true;
      /** Without the detections that were left out. */
      readonly message: CameraLogEvent;
      /** The reason, if there are such detections. */
      readonly leftOut: string | undefined;
    }
  | Refused;

/** Never throws. The codec must have learned the value's schema. For the camera-log there is readCameraLog. */
export const readMessage = <T extends Exclude<Topic, "camera-log">>(
  codec: Codec,
  topic: T,
  value: Buffer | null,
): DecodedAs<RecordOf<T>> => readRecord(codec, topic, value);

/** The same, and checks the event. `recordedAt`: the broker's time of the message, ms. */
export function readCameraLog(
  codec: Codec,
  value: Buffer | null,
  recordedAt: number,
  bounds: EventBounds,
): ReadCameraLog {
  const message = readRecord(codec, "camera-log", value);
  if (!message.ok) return message;
  const flaw = checkEvent(message, recordedAt, bounds);
  if (flaw !== undefined) return { ok: false, reason: flawText(flaw) };
  if (message.type === "DetectionsRecorded") return withoutSenseless(message.event, recordedAt, bounds);
  return { ok: true, message, leftOut: undefined };
}

function readRecord<T extends Topic>(codec: Codec, topic: T, value: Buffer | null): DecodedAs<RecordOf<T>> {
  const decoded = codec.decode(value);
  if (!decoded.ok || belongsInto(topic, decoded)) return decoded;
  return { ok: false, reason: `a ${decoded.type} does not belong here` };
}

function belongsInto<T extends Topic, D extends Typed>(topic: T, decoded: D): decoded is D & Typed<RecordOf<T>> {
  const allowed: readonly EventType[] = topics[topic].records;
  return allowed.includes(decoded.type);
}

/** Detections of one message may come from many callers, so a senseless one must not cost the others theirs. */
function withoutSenseless(event: DetectionsRecorded, recordedAt: number, bounds: EventBounds): ReadCameraLog {
  const { dataSourceId, detections } = event;
  let kept: Detection[] | undefined;
  let first: string | undefined;
  for (let i = 0; i < detections.length; i++) {
    const detection = detections[i];
    if (detection === undefined) continue;
    const flaw = checkDetection(detection, recordedAt, bounds);
    if (flaw === undefined) {
      kept?.push(detection);
      continue;
    }
    first ??= flawText({ path: ["detections", i, ...flaw.path], reason: flaw.reason });
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

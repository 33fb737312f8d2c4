// Every reader reads a message of a topic in this way: it decodes the value, checks that the record belongs to the
// topic, and checks the event. So all readers refuse the same messages: the state machine and the feed skip a refused
// message, the projector writes it to the dead letters.
import type { EventBounds } from "./bounds.ts";
import { checkPartition } from "./check-partition.ts";
import { checkRecord } from "./check-record.ts";
import { checkDetection, checkEvent, latestAt } from "./checks.ts";
import type { Codec, DecodedAs, DecodeFailure } from "./codec.ts";
import type { CameraLogEvent, Detection, DetectionsRecorded, EventType, Typed } from "./events.ts";
import { flawText } from "./flaw.ts";
import { type RecordOf, type Topic, topics } from "./topics.ts";

export type ReadResult<Message> =
  | {
      readonly ok: true;
      /** The event without the detections that failed their check. */
      readonly message: Message;
      /** The reason why detections were left out. Undefined when none were. */
      readonly leftOut: string | undefined;
    }
  | DecodeFailure;

export type ReadCameraLog = ReadResult<CameraLogEvent>;

/** A value with its place in the log, and the bounds that a reader checks it against. */
export interface CheckedMessage<T extends Topic> {
  readonly topic: T;
  readonly value: Buffer | null;
  /** The broker's time of the message, ms. */
  readonly recordedAt: number;
  readonly partition: number;
  readonly bounds: EventBounds;
}

/** Reads a message of any topic and checks its event. Never throws. */
export function readChecked<T extends Topic>(codec: Codec, checked: CheckedMessage<T>): ReadResult<Typed<RecordOf<T>>>;
export function readChecked(codec: Codec, checked: CheckedMessage<Topic>): ReadResult<Typed> {
  const { topic, value, recordedAt, bounds } = checked;
  if (topic === "camera-log") return readCameraLog(codec, checked);
  const read = readRecord(codec, topic, value);
  if (!read.ok) return read;
  const flaw = checkRecord(read, latestAt(recordedAt, bounds)) ?? checkPartition(topic, read, checked);
  return flaw === undefined ? { ok: true, message: read, leftOut: undefined } : { ok: false, reason: flawText(flaw) };
}

/**
 * Reads a message of any topic but the camera-log, whose readers call readCameraLog. The codec must have loaded the
 * value's schema. Never throws.
 */
export const readMessage = <T extends Exclude<Topic, "camera-log">>(
  codec: Codec,
  topic: T,
  value: Buffer | null,
): DecodedAs<RecordOf<T>> => readRecord(codec, topic, value);

/** Reads a message of the camera-log and checks its event. */
export function readCameraLog(codec: Codec, checked: Omit<CheckedMessage<"camera-log">, "topic">): ReadCameraLog {
  const { value, recordedAt, bounds } = checked;
  const message = readRecord(codec, "camera-log", value);
  if (!message.ok) return message;
  const flaw = checkEvent(message, recordedAt, bounds) ?? checkPartition("camera-log", message, checked);
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

/**
 * Leaves out the detections that fail their check. One message may contain the detections of many callers, so an
 * invalid one must not invalidate the others.
 */
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

// Writes events into the camera-log in the order of the calls.
import { badInput } from "../../../schemas/errors.ts";
import type { Detection } from "../../../schemas/events.ts";
import { isoTime } from "../../../schemas/identity.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import type { Acknowledged, OutMessage, Publisher } from "../../common/kafka/write/publisher.ts";
import type { LogClock } from "../../common/log-clock.ts";
import { createSlices } from "../../common/slices.ts";
import type { EventEncoder } from "./encode-events.ts";
import { type KeyedEvent, newestIn } from "./track-events.ts";

/** A written event, and the latest instant that it may contain: readers refuse a later one. */
export interface WrittenEvent {
  readonly event: KeyedEvent;
  readonly position: LogPosition;
  readonly latest: number;
}

export interface CameraLogOptions {
  readonly publisher: Publisher;
  readonly encoder: EventEncoder;
  readonly maxFutureMs: number;
  /** Receives every time in the answers of the log. */
  readonly clock: LogClock;
}

/** The order of calls is the order in the log. */
export type WriteCameraLog = (events: readonly KeyedEvent[]) => Promise<WrittenEvent[]>;

export function createWriteCameraLog(options: CameraLogOptions): WriteCameraLog {
  const { publisher, encoder, maxFutureMs, clock } = options;
  /** The last write of several events that is still being encoded: later writes must come after it in the log. */
  let encoding: Promise<unknown> | undefined;

  const toMessage = (event: KeyedEvent): OutMessage => encoder.cameraLog(event.dataSourceId, event);

  async function publishMany(events: readonly KeyedEvent[]): Promise<Acknowledged[]> {
    const { promise, resolve } = Promise.withResolvers<void>();
    encoding = promise;
    try {
      const slices = createSlices();
      const messages: OutMessage[] = [];
      for (const event of events) {
        if (slices.isOver()) await slices.next();
        messages.push(toMessage(event));
      }
      return publisher.publish(messages);
    } finally {
      encoding = undefined;
      resolve();
    }
  }

  function toWritten(event: KeyedEvent, written: Acknowledged | undefined): WrittenEvent {
    const { partition, offset, recordedAt } = acknowledged(written);
    if (recordedAt !== undefined) clock.observed(recordedAt);
    return {
      event,
      position: { topic: "camera-log", partition, offset },
      latest: (recordedAt ?? Number.POSITIVE_INFINITY) + maxFutureMs,
    };
  }

  return async (events) => {
    while (encoding !== undefined) await encoding;
    const positions = await (events.length > 1 ? publishMany(events) : publisher.publish(events.map(toMessage)));
    return events.map((event, i) => toWritten(event, positions[i]));
  };
}

export function acknowledged<Written>(written: Written | undefined): Written {
  if (written === undefined) throw new Error("the log acknowledged nothing");
  return written;
}

/** Throws BAD_USER_INPUT for an event that readers will refuse. */
export function checkInTime(written: readonly WrittenEvent[]): void {
  const late = written.find(isTooLate);
  if (late !== undefined) throw tooLate(newestIn(late.event), late.latest);
}

/**
 * Thrown only if our log clock was wrong or not set yet: otherwise doorBounds has refused the instant before the write.
 */
export const tooLate = (instant: number, latest: number) =>
  badInput(`${isoTime(instant)} is too far in the future: the log takes times up to ${isoTime(latest)}`);

/** The usual result, shared so that nothing is allocated per detection. */
const NONE: ReadonlyMap<Detection, number> = new Map();

/** Returns the detections that readers will refuse, with the latest instant that they would have accepted. */
export const refusedIn = (written: readonly WrittenEvent[]): ReadonlyMap<Detection, number> =>
  written.some(isTooLate) ? new Map(written.flatMap(lateDetections)) : NONE;

const isTooLate = ({ event, latest }: WrittenEvent): boolean => newestIn(event) > latest;

function lateDetections({ event, latest }: WrittenEvent): (readonly [Detection, number])[] {
  if (event.type !== "DetectionsRecorded") return [];
  return event.event.detections.flatMap((each) => (each.timestamp > latest ? [[each, latest] as const] : []));
}

// Writes the events of mutations: encodes, keys and sends them, and answers with their positions in the log.
import { checkRecord } from "../../../schemas/check-record.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { badInput } from "../../../schemas/errors.ts";
import type { Detection, Typed } from "../../../schemas/events.ts";
import { flawText } from "../../../schemas/flaw.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import { topicName, topicOf } from "../../../schemas/topics.ts";
import type { Publisher } from "../../common/kafka/write/publisher.ts";
import type { LogClock } from "../../common/log-clock.ts";
import { createEventEncoder, type RecordEvent } from "./encode-events.ts";
import { createGatherer } from "./gather-detections.ts";
import { type KeyedEvent, recordedEvents } from "./track-events.ts";
import { acknowledged, checkInTime, createWriteCameraLog, refusedIn, tooLate } from "./write-camera-log.ts";

export interface EventWriter {
  /**
   * Resolves with the positions, in order, when all in-sync replicas have the events; rejects with UNAVAILABLE, or with
   * BAD_USER_INPUT for an event that no message can hold, or that readers will refuse because it was recorded too
   * early.
   */
  cameraLog(events: readonly KeyedEvent[]): Promise<LogPosition[]>;
  /** The same for detections, which may share an event with others; resolves with one position per data source. */
  detections(bySource: ReadonlyMap<string, readonly Detection[]>): Promise<LogPosition[]>;
  /** The same for an event that concerns all cameras: it is then in every partition of the camera-log. */
  everyPartition(event: Typed<"GeofencesAdvanced">): Promise<LogPosition[]>;
  /** The same for events of other topics, which contain their keys. */
  records(events: readonly RecordEvent[]): Promise<LogPosition[]>;
}

export interface EventWriterOptions {
  readonly publisher: Publisher;
  readonly codec: Codec;
  readonly namespace: string;
  readonly maxMessageBytes: number;
  /** Milliseconds for which detections wait for others of their data source. */
  readonly lingerMs: number;
  readonly maxFutureMs: number;
  /** Receives every time in the answers of the log. */
  readonly clock: LogClock;
  readonly now: () => number;
}

/** The outcome for gathered detections: readers may refuse some of them. */
interface Recorded {
  readonly position: LogPosition;
  /** Refused detections, with the latest instant that readers would have accepted. */
  readonly refused: ReadonlyMap<Detection, number>;
}

/** Number of detections that are worth the overhead of a message, so that an event with them is written immediately. */
const ENOUGH_DETECTIONS = 50;

export function createEventWriter(options: EventWriterOptions): EventWriter {
  const { publisher, namespace, lingerMs, maxFutureMs, clock } = options;
  const cameraLog = topicName(namespace, "camera-log");
  const encoder = createEventEncoder(options);
  const write = createWriteCameraLog({ publisher, encoder, maxFutureMs, clock });
  const gatherer = createGatherer<Recorded>({
    lingerMs,
    maxDetections: ENOUGH_DETECTIONS,
    record: async (dataSourceId, detections) => {
      const written = await write(recordedEvents(dataSourceId, detections));
      return { position: acknowledged(written.at(-1)).position, refused: refusedIn(written) };
    },
  });

  return {
    async cameraLog(events) {
      const written = await write(events);
      checkInTime(written);
      return written.map(({ position }) => position);
    },

    async detections(bySource) {
      const adding = Array.from(bySource, ([dataSourceId, detections]) => gatherer.add(dataSourceId, detections));
      const [only] = adding;
      // Most mutations have one data source, and need none of the promises of Promise.all.
      const recorded = adding.length === 1 && only !== undefined ? [await only] : await Promise.all(adding);
      let source = 0;
      for (const detections of bySource.values()) checkNotRefused(detections, acknowledged(recorded[source++]).refused);
      return recorded.map(({ position }) => position);
    },

    async everyPartition(event) {
      const message = encoder.cameraLog("", event);
      const count = publisher.partitionsOf(cameraLog);
      const written = await publisher.publish(
        Array.from({ length: count }, (_, partition) => ({ ...message, partition })),
      );
      return written.map(({ partition, offset }) => ({ topic: "camera-log", partition, offset }));
    },

    async records(events) {
      const written = await publisher.publish(encoder.records(events));
      return events.map((event, i) => {
        const { partition, offset, recordedAt } = acknowledged(written[i]);
        if (recordedAt !== undefined) {
          clock.observed(recordedAt);
          const flaw = checkRecord(event, recordedAt + maxFutureMs);
          if (flaw !== undefined) throw badInput(flawText(flaw));
        }
        return { topic: topicOf(event.type), partition, offset };
      });
    },
  };
}

/** Throws BAD_USER_INPUT for a detection that readers will refuse. */
function checkNotRefused(detections: readonly Detection[], refused: ReadonlyMap<Detection, number>): void {
  if (refused.size === 0) return;
  for (const detection of detections) {
    const latest = refused.get(detection);
    if (latest !== undefined) throw tooLate(detection.timestamp, latest);
  }
}

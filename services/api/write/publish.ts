// Writes the events of mutations: encodes, keys and sends them, and answers with their positions in the log.
import { randomUUID } from "node:crypto";
import { checkRecord } from "../../../schemas/check-record.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { badInput } from "../../../schemas/errors.ts";
import type { CameraLogEvent, Detection, Typed } from "../../../schemas/events.ts";
import { flawText } from "../../../schemas/flaw.ts";
import { headersOf } from "../../../schemas/headers.ts";
import { isoTime } from "../../../schemas/identity.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import { recordMessage } from "../../../schemas/record-message.ts";
import { type RecordOf, topicName, topicOf, type WrittenByApi } from "../../../schemas/topics.ts";
import type { Acknowledged, OutMessage, Publisher } from "../../common/kafka/publisher.ts";
import type { LogClock } from "../../common/log-clock.ts";
import { createSlices } from "../../common/slices.ts";
import { createGatherer } from "./gather-detections.ts";
import { newestIn, recordedEvents } from "./track-events.ts";

export interface EventWriter {
  /**
   * Resolves with the positions, in order, when all in-sync replicas have the events; rejects with UNAVAILABLE, or with
   * BAD_USER_INPUT for an event that no message can hold, or that readers will refuse because it was recorded too
   * early.
   */
  cameraLog(events: readonly KeyedEvent[]): Promise<LogPosition[]>;
  /** The same for detections, which may share an event with others; resolves with one position per data source. */
  detections(bySource: ReadonlyMap<string, readonly Detection[]>): Promise<LogPosition[]>;
  /** The same for an event that concerns all cameras: it is in every partition of the camera-log then. */
  everyPartition(event: Typed<"GeofencesAdvanced">): Promise<LogPosition[]>;
  /** The same for events of other topics; their keys are in them. */
  records(events: readonly RecordEvent[]): Promise<LogPosition[]>;
}

/** The data source decides the partition. A zone that moves is written under the old and under the new one. */
export type KeyedEvent = CameraLogEvent & { readonly dataSourceId: string };

export type RecordEvent = Typed<RecordOf<Exclude<WrittenByApi, "camera-log">>>;

export interface EventWriterOptions {
  readonly publisher: Publisher;
  readonly codec: Codec;
  readonly namespace: string;
  readonly maxMessageBytes: number;
  /** How long detections wait for others of their data source. */
  readonly lingerMs: number;
  readonly maxFutureMs: number;
  /** Gets every time that the log answers with. */
  readonly clock: LogClock;
  readonly now: () => number;
}

/** A written event, and the latest instant that it may contain: readers refuse a later one. */
interface Written {
  readonly event: KeyedEvent;
  readonly position: LogPosition;
  readonly latest: number;
}

/** The outcome for gathered detections: readers may refuse some of them. */
interface Recorded {
  readonly position: LogPosition;
  /** Refused detections, with the latest instant that readers would have accepted. */
  readonly refused: ReadonlyMap<Detection, number>;
}

/** This many detections make a message worth its overhead. */
const ENOUGH_DETECTIONS = 50;

const SOURCE = "tracklog/api";

export function createEventWriter({
  publisher,
  codec,
  namespace,
  maxMessageBytes,
  lingerMs,
  maxFutureMs,
  clock,
  now,
}: EventWriterOptions): EventWriter {
  const cameraLog = topicName(namespace, "camera-log");

  function toMessage(key: string, { type, event }: CameraLogEvent) {
    const value = codec.encode(type, event as never);
    const headers = headersOf({ id: randomUUID(), type, source: SOURCE, timeMs: now() });
    return withinBounds({ topic: cameraLog, key, value, headers });
  }

  function withinBounds<Message extends { readonly value: Buffer }>(message: Message): Message {
    if (message.value.length > maxMessageBytes) throw badInput(`the event is larger than ${maxMessageBytes} bytes`);
    return message;
  }

  /** The last write of several events that is still being encoded: later writes must come after it in the log. */
  let encoding: Promise<unknown> | undefined;

  /** The order of calls is the order in the log. */
  async function write(events: readonly KeyedEvent[]): Promise<Written[]> {
    while (encoding !== undefined) await encoding;
    const positions = await (events.length > 1 ? publishMany(events) : publisher.publish(events.map(toLogMessage)));
    return events.map((event, i) => toWritten(event, positions[i]));
  }

  async function publishMany(events: readonly KeyedEvent[]): Promise<Acknowledged[]> {
    const { promise, resolve } = Promise.withResolvers<void>();
    encoding = promise;
    try {
      const slices = createSlices();
      const messages: OutMessage[] = [];
      for (const event of events) {
        if (slices.isOver()) await slices.next();
        messages.push(toLogMessage(event));
      }
      return publisher.publish(messages);
    } finally {
      encoding = undefined;
      resolve();
    }
  }

  const toLogMessage = (event: KeyedEvent): OutMessage => toMessage(event.dataSourceId, event);

  function toWritten(event: KeyedEvent, written: Acknowledged | undefined): Written {
    const { partition, offset, recordedAt } = acknowledged(written);
    if (recordedAt !== undefined) clock.heard(recordedAt);
    return {
      event,
      position: { topic: "camera-log", partition, offset },
      latest: (recordedAt ?? Number.POSITIVE_INFINITY) + maxFutureMs,
    };
  }

  const gatherer = createGatherer<Recorded>({
    lingerMs,
    maxDetections: ENOUGH_DETECTIONS,
    record: async (dataSourceId, detections) => {
      const written = await write(recordedEvents(dataSourceId, detections));
      const last = written.at(-1);
      if (last === undefined) throw new Error("the log acknowledged nothing");
      return { position: last.position, refused: written.some(isTooLate) ? new Map(written.flatMap(refusedIn)) : NONE };
    },
  });

  return {
    async cameraLog(events) {
      const written = await write(events);
      const late = written.find(isTooLate);
      if (late !== undefined) throw tooLate(newestIn(late.event), late.latest);
      return written.map(({ position }) => position);
    },

    async detections(bySource) {
      const recorded = await Promise.all(
        [...bySource].map(async ([dataSourceId, detections]) => {
          const { position, refused } = await gatherer.add(dataSourceId, detections);
          return { detections, position, refused };
        }),
      );
      for (const { detections, refused } of recorded) {
        if (refused.size === 0) continue;
        for (const detection of detections) {
          const latest = refused.get(detection);
          if (latest !== undefined) throw tooLate(detection.timestamp, latest);
        }
      }
      return recorded.map(({ position }) => position);
    },

    async everyPartition(event) {
      const message = toMessage("", event);
      const count = publisher.partitionsOf(cameraLog);
      const written = await publisher.publish(
        Array.from({ length: count }, (_, partition) => ({ ...message, partition })),
      );
      return written.map(({ partition, offset }) => ({ topic: "camera-log", partition, offset }));
    },

    async records(events) {
      const by = { source: SOURCE, timeMs: now() };
      const written = await publisher.publish(
        events.map((event) => withinBounds(recordMessage(codec, namespace, event, by))),
      );
      return events.map((event, i) => {
        const { partition, offset, recordedAt } = acknowledged(written[i]);
        if (recordedAt !== undefined) {
          clock.heard(recordedAt);
          const flaw = checkRecord(event, recordedAt + maxFutureMs);
          if (flaw !== undefined) throw badInput(flawText(flaw));
        }
        return { topic: topicOf(event.type), partition, offset };
      });
    },
  };
}

/** Only if our log clock was wrong or not set yet: otherwise doorBounds has refused the instant before the write. */
const tooLate = (instant: number, latest: number) =>
  badInput(`${isoTime(instant)} is too far in the future: the log takes times up to ${isoTime(latest)}`);

function acknowledged(written: Acknowledged | undefined): Acknowledged {
  if (written === undefined) throw new Error("the log acknowledged nothing");
  return written;
}

const isTooLate = ({ event, latest }: Written): boolean => newestIn(event) > latest;

/** The usual case, in which nothing is allocated per detection. */
const NONE: ReadonlyMap<Detection, number> = new Map();

function refusedIn({ event, latest }: Written): (readonly [Detection, number])[] {
  if (event.type !== "DetectionsRecorded") return [];
  return event.event.detections.flatMap((each) => (each.timestamp > latest ? [[each, latest] as const] : []));
}

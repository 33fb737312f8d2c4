// Mutations become events here: encoded, keyed, sent, and answered with where they stand in the log.
import { randomUUID } from "node:crypto";
import type { Codec } from "../../schemas/codec.ts";
import type { CameraLogEvent, DataSourceEntry, Detection, TokenEntry } from "../../schemas/events.ts";
import { headersOf } from "../../schemas/headers.ts";
import { topicName } from "../../schemas/topics.ts";
import { badInput } from "../common/errors.ts";
import type { OutMessage, Publisher } from "../common/kafka/publisher.ts";
import { createGatherer } from "./gather-detections.ts";
import type { Position } from "./position.ts";
import { recordedEvents } from "./track-events.ts";

export interface EventWriter {
  /**
   * Resolves with the positions, in order, when all in-sync replicas have the events; rejects with UNAVAILABLE, or
   * with BAD_USER_INPUT for an event that no message can hold.
   */
  cameraLog(events: readonly KeyedEvent[]): Promise<Position[]>;
  /** The same for detections, which may share an event with others of their data source; the newest position of each. */
  detections(bySource: ReadonlyMap<string, readonly Detection[]>): Promise<Position[]>;
  /** null deletes. */
  catalog(id: string, entry: CatalogEntry | null): Promise<Position>;
}

export type CatalogEntry =
  | { readonly type: "DataSourceEntry"; readonly event: DataSourceEntry }
  | { readonly type: "TokenEntry"; readonly event: TokenEntry };

/** The data source decides the partition. A zone that moves is written under the old and the new one. */
export type KeyedEvent = CameraLogEvent & { readonly dataSourceId: string };

export interface EventWriterOptions {
  readonly publisher: Publisher;
  readonly codec: Codec;
  readonly namespace: string;
  readonly maxMessageBytes: number;
  /** How long detections wait for others of their data source. */
  readonly lingerMs: number;
  readonly now: () => number;
}

/** So many detections make a message worth its overhead. */
const ENOUGH_DETECTIONS = 50;

const SOURCE = "tracklog/api";

export function createEventWriter({
  publisher,
  codec,
  namespace,
  maxMessageBytes,
  lingerMs,
  now,
}: EventWriterOptions): EventWriter {
  const cameraLog = topicName(namespace, "camera-log");
  const catalog = topicName(namespace, "catalog");

  function toMessage(topic: string, key: string, { type, event }: CameraLogEvent | CatalogEntry) {
    const value = codec.encode(type, event as never);
    if (value.length > maxMessageBytes) throw badInput(`the event is larger than ${maxMessageBytes} bytes`);
    const headers = headersOf({ id: randomUUID(), type, source: SOURCE, timeMs: now() });
    return { topic, key, value, headers } satisfies OutMessage;
  }

  async function write(events: readonly KeyedEvent[]): Promise<Position[]> {
    const messages = events.map((event) => toMessage(cameraLog, event.dataSourceId, event));
    const positions = await publisher.publish(messages);
    return positions.map(({ partition, offset }) => ({ partition, offset }));
  }

  const gatherer = createGatherer({
    lingerMs,
    maxDetections: ENOUGH_DETECTIONS,
    record: async (dataSourceId, detections) => {
      const positions = await write(recordedEvents(dataSourceId, detections));
      const last = positions.at(-1);
      if (last === undefined) throw new Error("the log acknowledged nothing");
      return last;
    },
  });

  return {
    cameraLog: write,

    async detections(bySource) {
      const written: Promise<Position>[] = [];
      for (const [dataSourceId, detections] of bySource) written.push(gatherer.add(dataSourceId, detections));
      return Promise.all(written);
    },

    async catalog(id, entry) {
      const message: OutMessage =
        entry === null ? { topic: catalog, key: id, value: null } : toMessage(catalog, id, entry);
      const [position] = await publisher.publish([message]);
      if (position === undefined) throw new Error("the log acknowledged nothing");
      return { topic: "catalog", partition: position.partition, offset: position.offset };
    },
  };
}

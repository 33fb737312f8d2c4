// Mutations become events here: encoded, keyed, sent, and answered with where they stand in the log.
import { randomUUID } from "node:crypto";
import type { Codec } from "../../schemas/codec.ts";
import type { CameraLogEvent, DataSourceEntry, TokenEntry } from "../../schemas/events.ts";
import { headersOf } from "../../schemas/headers.ts";
import { topicName } from "../../schemas/topics.ts";
import { badInput } from "../common/errors.ts";
import type { OutMessage, Publisher } from "../common/kafka/publisher.ts";
import type { Position } from "./position.ts";

export interface EventWriter {
  /**
   * Resolves with the positions, in order, when all in-sync replicas have the events; rejects with UNAVAILABLE, or
   * with BAD_USER_INPUT for an event that no message can hold.
   */
  cameraLog(events: readonly KeyedEvent[], traceparent?: string): Promise<Position[]>;
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
  readonly now: () => number;
}

const SOURCE = "tracklog/api";

export function createEventWriter({
  publisher,
  codec,
  namespace,
  maxMessageBytes,
  now,
}: EventWriterOptions): EventWriter {
  const cameraLog = topicName(namespace, "camera-log");
  const catalog = topicName(namespace, "catalog");

  function toMessage(topic: string, key: string, { type, event }: CameraLogEvent | CatalogEntry, traceparent?: string) {
    const value = codec.encode(type, event as never);
    if (value.length > maxMessageBytes) throw badInput(`the event is larger than ${maxMessageBytes} bytes`);
    const headers = headersOf({ id: randomUUID(), type, source: SOURCE, timeMs: now(), traceparent });
    return { topic, key, value, headers } satisfies OutMessage;
  }

  return {
    async cameraLog(events, traceparent) {
      const messages = events.map((event) => toMessage(cameraLog, event.dataSourceId, event, traceparent));
      const positions = await publisher.publish(messages);
      return positions.map(({ partition, offset }) => ({ partition, offset }));
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

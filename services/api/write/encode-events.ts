// Events as messages of the log.
import { randomUUID } from "node:crypto";
import type { Codec } from "../../../schemas/codec.ts";
import { badInput } from "../../../schemas/errors.ts";
import type { CameraLogEvent, Typed } from "../../../schemas/events.ts";
import { headersOf } from "../../../schemas/headers.ts";
import { recordMessage } from "../../../schemas/record-message.ts";
import { type RecordOf, topicName, type WrittenByApi } from "../../../schemas/topics.ts";
import type { OutMessage } from "../../common/kafka/write/publisher.ts";

/** An event of another topic than the camera-log; it contains its key. */
export type RecordEvent = Typed<RecordOf<Exclude<WrittenByApi, "camera-log">>>;

export interface EncoderOptions {
  readonly codec: Codec;
  readonly namespace: string;
  readonly maxMessageBytes: number;
  readonly now: () => number;
}

/** Each function throws BAD_USER_INPUT for an event that no message can hold. */
export interface EventEncoder {
  cameraLog(key: string, event: CameraLogEvent): OutMessage & { readonly key: string };
  records(events: readonly RecordEvent[]): OutMessage[];
}

const SOURCE = "tracklog/api";

export function createEventEncoder({ codec, namespace, maxMessageBytes, now }: EncoderOptions): EventEncoder {
  const topic = topicName(namespace, "camera-log");

  function withinBounds<Message extends { readonly value: Buffer }>(message: Message): Message {
    if (message.value.length > maxMessageBytes) throw badInput(`the event is larger than ${maxMessageBytes} bytes`);
    return message;
  }

  return {
    cameraLog(key, { type, event }) {
      const value = codec.encode(type, event as never);
      const headers = headersOf({ id: randomUUID(), type, source: SOURCE, timeMs: now() });
      return withinBounds({ topic, key, value, headers });
    },
    records(events) {
      const by = { source: SOURCE, timeMs: now() };
      return events.map((event) => withinBounds(recordMessage(codec, namespace, event, by)));
    },
  };
}

// Builds the messages of the topics whose events have their key in them, for every process that writes them.
import { randomUUID } from "node:crypto";
import type { Codec } from "./codec.ts";
import type { Typed } from "./events.ts";
import { headersOf } from "./headers.ts";
import { keyOf, topicName, topicOf } from "./topics.ts";

/** The process that writes the message, and the time. */
export interface RecordOrigin {
  readonly source: string;
  readonly timeMs: number;
}

export function recordMessage(codec: Codec, namespace: string, message: Typed, written: RecordOrigin) {
  const { type, event } = message;
  return {
    topic: topicName(namespace, topicOf(type)),
    key: keyOf(message),
    // The compiler does not see that the type and the event of a union belong together.
    value: codec.encode(type, event as never),
    headers: headersOf({ id: randomUUID(), type, ...written }),
  };
}

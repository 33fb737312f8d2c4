// Builds the messages of the catalog topic, for every process that writes them.
import { randomUUID } from "node:crypto";
import type { Codec } from "../codec.ts";
import type { CatalogEvent } from "../events.ts";
import { headersOf } from "../headers.ts";
import { topicName } from "../topics.ts";

/** `source`: the process that writes the message. */
export function catalogMessage(codec: Codec, namespace: string, { type, event }: CatalogEvent, source: string) {
  return {
    topic: topicName(namespace, "catalog"),
    key: event.id,
    // The compiler does not see that the type and the event of a union belong together.
    value: codec.encode(type, event as never),
    headers: headersOf({ id: randomUUID(), type, source, timeMs: event.at }),
  };
}

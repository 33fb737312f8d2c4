import { randomUUID } from "node:crypto";
import type { Codec } from "../../../schemas/codec.ts";
import type { DetectionsRecorded } from "../../../schemas/events.ts";
import { headersOf } from "../../../schemas/headers.ts";

/** Makes a message as the API does. */
export function toMessage(codec: Codec, event: DetectionsRecorded) {
  return {
    key: event.dataSourceId,
    value: codec.encode("DetectionsRecorded", event),
    headers: headersOf({
      id: randomUUID(),
      type: "DetectionsRecorded",
      source: "tracklog/api",
      timeMs: Date.now(),
    }),
  };
}

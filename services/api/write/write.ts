// Writes a mutation's events into the log, adds their positions to the answer, and applies them to this instance's
// views.
import { type Catalog, isCatalogEvent } from "../../../projections/catalog/catalog.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import { topicOf } from "../../../schemas/topics.ts";
import type { RecordEvent } from "./encode-events.ts";
import type { EventWriter } from "./publish.ts";
import type { KeyedEvent } from "./track-events.ts";

export type WriteEvent = KeyedEvent | RecordEvent;

/** Resolves with the positions, in order, when the log has the events. The views then show all but changes of zones. */
export type Write = (events: readonly WriteEvent[]) => Promise<readonly LogPosition[]>;

interface WriteDeps {
  readonly writer: EventWriter;
  readonly catalog: Catalog;
}

/** `positions` receives every position. The events of one call go into one topic. */
export function createWrite({ writer, catalog }: WriteDeps, positions: LogPosition[]): Write {
  return async (events) => {
    const logged = events.filter(isOfCameraLog);
    const others = events.filter((event) => !isOfCameraLog(event));
    if (new Set(events.map(({ type }) => topicOf(type))).size > 1) {
      throw new Error("the events of one write go into one topic");
    }
    const written = others.length > 0 ? await writer.records(others) : await writer.cameraLog(logged);
    positions.push(...written);
    for (const [i, position] of written.entries()) {
      const event = others[i];
      if (event !== undefined && isCatalogEvent(event)) catalog.applyOwn(event, position.offset);
    }
    return written;
  };
}

const isOfCameraLog = (event: WriteEvent): event is KeyedEvent => topicOf(event.type) === "camera-log";

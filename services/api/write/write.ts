// Writes a mutation's events into the log, adds their positions to the answer, and lays them over this instance's
// views.
import { type Catalog, isCatalogEvent } from "../../../projections/catalog/catalog.ts";
import type { CatalogEvent } from "../../../schemas/events.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import type { EventWriter, KeyedEvent } from "./publish.ts";

export type WriteEvent = KeyedEvent | CatalogEvent;

/** Resolves with the positions, in order, when the log has the events. The views then show all but changes of zones. */
export type Write = (events: readonly WriteEvent[]) => Promise<readonly LogPosition[]>;

interface WriteDeps {
  readonly writer: EventWriter;
  readonly catalog: Catalog;
}

/** `positions` is told of every position. The events of one call go into one topic. */
export function createWrite({ writer, catalog }: WriteDeps, positions: LogPosition[]): Write {
  return async (events) => {
    const about = events.filter(isCatalogEvent);
    const logged = events.filter((event) => !isCatalogEvent(event));
    if (about.length > 0 && logged.length > 0) throw new Error("the events of one write go into one topic");
    const written = about.length > 0 ? await writer.catalog(about) : await writer.cameraLog(logged);
    positions.push(...written);
    for (const [i, position] of written.entries()) {
      const entity = about[i];
      if (entity !== undefined) catalog.applyOwn(entity, position.offset);
    }
    return written;
  };
}

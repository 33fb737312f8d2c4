// Writes a mutation's events into the log, adds their positions to the answer, and lays them over this instance's
// views.
import { type Catalog, isCatalogEvent } from "../../../projections/catalog/catalog.ts";
import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import type { CatalogEvent } from "../../../schemas/events.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import type { EventWriter, KeyedEvent } from "./publish.ts";

export type WriteEvent = KeyedEvent | CatalogEvent;

/** Resolves with the positions, in order, when the log has the events. The views then show all but changes of zones. */
export type Write = (events: readonly WriteEvent[]) => Promise<readonly LogPosition[]>;

interface WriteDeps {
  readonly writer: EventWriter;
  readonly catalog: Catalog;
  readonly zones: ZonesView;
}

/** Adds every position to `positions`. The events of one call go into one topic. */
export function createWrite({ writer, catalog, zones }: WriteDeps, positions: LogPosition[]): Write {
  return async (events) => {
    const about = events.filter(isCatalogEvent);
    const logged = events.filter((event) => !isCatalogEvent(event));
    if (about.length > 0 && logged.length > 0) throw new Error("the events of one write go into one topic");
    const written = about.length > 0 ? await writer.catalog(about) : await writer.cameraLog(logged);
    positions.push(...written);
    for (const [i, position] of written.entries()) {
      const [entity, event] = [about[i], logged[i]];
      if (entity !== undefined) catalog.applyOwn(entity, position.offset);
      if (event !== undefined) layOverZones(zones, event, position);
    }
    return written;
  };
}

/** Only a creation: the outcome of other events depends on where the zone is by then, so their writers wait for it. */
function layOverZones(zones: ZonesView, { type, event }: KeyedEvent, { partition, offset }: LogPosition): void {
  if (type !== "ZoneCreated") return;
  const { zone } = event;
  const { zoneId, dataSourceId } = zone;
  zones.applyOwn({ zoneId, dataSourceId, zone, movedTo: null, refusal: null, partition, offset });
}

// Folds an event of the camera-log into a zone: one function for every reader.
import type { Typed, Zone, ZoneDeleted, ZoneUpdated } from "../../schemas/events.ts";
import { applyPatch } from "./patch.ts";

export type ZoneEvent = Typed<"ZoneCreated" | "ZoneUpdated" | "ZoneDeleted">;

/** `before` is the zone at the data source of the event; undefined when the data source does not have it. */
export function evolveZone(before: Zone | undefined, { type, event }: ZoneEvent): Zone | undefined {
  switch (type) {
    case "ZoneCreated":
      return before ?? event.zone;
    case "ZoneUpdated": {
      if (before === undefined || isOutdated(before, event)) return before;
      // The time names what its readers saw. So a change moves it on, also when the writer's clock does not.
      const earliest = before.updatedAt + (isChangedBy(before, event) ? 1 : 0);
      return { ...applyPatch(before, event), updatedAt: Math.max(earliest, event.updatedAt) };
    }
    case "ZoneDeleted":
      return before !== undefined && isOutdated(before, event) ? before : undefined;
    default:
      return type satisfies never;
  }
}

/** Whether somebody has changed the zone since the writer of the event read it, so that the event changes nothing. */
export const isOutdated = (zone: Zone, { ifUpdatedAt }: Pick<ZoneUpdated | ZoneDeleted, "ifUpdatedAt">): boolean =>
  ifUpdatedAt !== null && ifUpdatedAt !== zone.updatedAt;

/** Whether the patch gives the zone another value than it has. */
export const isChangedBy = (zone: Zone, patch: Pick<ZoneUpdated, "set" | "cleared">): boolean =>
  Object.entries(applyPatch(zone, patch)).some(([field, value]) => !isSame(value, Reflect.get(zone, field)));

/** A new name leaves the polygon the same object, which may be large. */
const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

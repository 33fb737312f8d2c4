// Folds an event of the camera-log into a zone: one function for every reader.
import type { Typed, Zone, ZoneUpdated } from "../../schemas/events.ts";
import { applyPatch } from "./patch.ts";

export type ZoneEvent = Typed<"ZoneCreated" | "ZoneUpdated" | "ZoneDeleted">;

/** `before` is the zone at the data source of the event; undefined when the data source does not have it. */
export function evolveZone(before: Zone | undefined, { type, event }: ZoneEvent): Zone | undefined {
  switch (type) {
    case "ZoneCreated":
      return before ?? event.zone;
    case "ZoneUpdated":
      if (before === undefined || isOutdated(before, event)) return before;
      return { ...applyPatch(before, event), updatedAt: Math.max(before.updatedAt, event.updatedAt) };
    case "ZoneDeleted":
      return undefined;
    default:
      return type satisfies never;
  }
}

/** Whether somebody has changed the zone since the writer of the event read it, so that the event changes nothing. */
export const isOutdated = (zone: Zone, { ifUpdatedAt }: Pick<ZoneUpdated, "ifUpdatedAt">): boolean =>
  ifUpdatedAt !== null && ifUpdatedAt !== zone.updatedAt;

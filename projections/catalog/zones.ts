// Folds an event of the camera-log into a zone: one function for every reader.
import type { Typed, Zone } from "../../schemas/events.ts";
import { applyPatch } from "./patch.ts";

export type ZoneEvent = Typed<"ZoneCreated" | "ZoneUpdated" | "ZoneDeleted">;

/** `before` is the zone at the data source of the event; undefined when the data source does not have it. */
export function evolveZone(before: Zone | undefined, { type, event }: ZoneEvent): Zone | undefined {
  switch (type) {
    case "ZoneCreated":
      return before ?? event.zone;
    case "ZoneUpdated":
      return before && { ...applyPatch(before, event), updatedAt: Math.max(before.updatedAt, event.updatedAt) };
    case "ZoneDeleted":
      return undefined;
    default:
      return type satisfies never;
  }
}

// The checks of records outside the camera-log.
import { checkChronicle } from "./chronicles/check.ts";
import type { Typed } from "./events.ts";
import type { Flaw } from "./flaw.ts";
import { checkOfKind } from "./records/kinds.ts";

/** `latest` is the last instant allowed (see checkTime). */
export function checkRecord(message: Typed, latest: number): Flaw | undefined {
  switch (message.type) {
    case "ActivityChronicleChanged":
    case "EventChronicleChanged":
    case "SummaryChronicleChanged":
    case "ActivityMediaAdded":
      return checkChronicle(message);
    default:
      return checkOfKind(message.type, message.event, latest);
  }
}

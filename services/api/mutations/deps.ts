import type { EventBounds } from "../../../schemas/bounds.ts";
import type { EventWriter } from "../publish.ts";
import type { TrackRouting } from "../track-routing.ts";
import type { ZoneRoom } from "./zone-room.ts";

/** What mutations need beside the context of a request. */
export interface MutationDeps {
  readonly writer: EventWriter;
  readonly routing: TrackRouting;
  readonly bounds: EventBounds;
  readonly room: ZoneRoom;
  readonly now: () => number;
}

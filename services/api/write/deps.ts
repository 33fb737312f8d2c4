import type { EventBounds } from "../../../schemas/bounds.ts";
import type { LogClock } from "./log-clock.ts";
import type { EventWriter } from "./publish.ts";
import type { Tags } from "./tags.ts";
import type { TrackRouting } from "./track-routing.ts";
import type { ZoneRoom } from "./zone-room.ts";

/** What mutations need beside the context of a request. */
export interface MutationDeps {
  readonly writer: EventWriter;
  readonly routing: TrackRouting;
  readonly bounds: EventBounds;
  /** The broker's clock, by which timestamps are judged. */
  readonly clock: LogClock;
  readonly room: ZoneRoom;
  readonly tags: Tags;
  readonly maxImageBytes: number;
  readonly now: () => number;
}

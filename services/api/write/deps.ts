import type { EventBounds } from "../../../schemas/bounds.ts";
import type { CatalogKind } from "../../../schemas/catalog/kinds.ts";
import type { LogClock } from "../../common/log-clock.ts";
import type { RecordTopic } from "../read/await-position.ts";
import type { GeofenceSteps } from "./geofence-steps.ts";
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
  /** At most one heartbeat per device in this time. */
  readonly heartbeatMs: number;
  /** Resolves when the history has all records of the topic that were in the log at the call; rejects with UNAVAILABLE. */
  readonly historyComplete: (topic: RecordTopic) => Promise<void>;
  /** Ids of the records in the log that refer to this entity: not all of them if there are many. */
  readonly recordsReferringTo: (kind: CatalogKind, id: string) => Promise<readonly string[]>;
  readonly geofences: GeofenceSteps;
  readonly now: () => number;
}

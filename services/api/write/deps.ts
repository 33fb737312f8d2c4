import type { EventBounds } from "../../../schemas/bounds.ts";
import type { CatalogKind } from "../../../schemas/catalog/kinds.ts";
import type { LogClock } from "../../common/log-clock.ts";
import type { RecordTopic } from "../read/await-position.ts";
import type { GeofenceSteps } from "./geofence-steps.ts";
import type { EventWriter } from "./publish.ts";
import type { Tags } from "./tags.ts";
import type { TrackRouting } from "./track-routing.ts";
import type { VertexQuota } from "./vertex-quota.ts";

/** Dependencies of mutations besides the context of a request. */
export interface MutationDeps {
  readonly writer: EventWriter;
  readonly routing: TrackRouting;
  readonly bounds: EventBounds;
  /** The broker's clock, against which timestamps are checked. */
  readonly clock: LogClock;
  readonly vertexQuota: VertexQuota;
  readonly tags: Tags;
  readonly maxImageBytes: number;
  /** Milliseconds in which a device gets at most one heartbeat. */
  readonly heartbeatMs: number;
  /**
   * Resolves when the history has all records of the topic that were in the log at the call. Rejects with UNAVAILABLE
   * when that takes too long.
   */
  readonly historyComplete: (topic: RecordTopic) => Promise<void>;
  /**
   * Resolves with ids of the records in the log that refer to this entity; with only some of them if there are many.
   */
  readonly recordsReferringTo: (kind: CatalogKind, id: string) => Promise<readonly string[]>;
  readonly geofences: GeofenceSteps;
  readonly now: () => number;
}

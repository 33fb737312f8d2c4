// What a resolver may use while it answers an operation.

import type { Catalog } from "../../../projections/catalog/catalog.ts";
import type { Heartbeats } from "../../../projections/catalog/heartbeats.ts";
import type { Locate } from "../../../projections/catalog/locate.ts";
import type { Principal } from "../../../projections/catalog/tokens.ts";
import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import type { FilterLimits } from "../../../projections/filters/read-filter.ts";
import type { Walk } from "../../../projections/filters/walk.ts";
import type { History } from "../../../projections/history/queries/records.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import type { Log } from "../../common/log.ts";
import type { MediaStore } from "../../common/media/store.ts";
import type { Turns } from "../../common/turns.ts";
import type { Frames } from "../media/frames.ts";
import type { RecordTopic } from "../read/await-position.ts";
import type { Loaders } from "../read/loaders.ts";
import type { Heard } from "../write/traffic.ts";
import type { Write } from "../write/write.ts";
import type { Budget } from "./budget.ts";

export type { Principal } from "../../../projections/catalog/tokens.ts";

export interface ApiContext {
  readonly principal: Principal;
  readonly catalog: Catalog;
  readonly zones: ZonesView;
  readonly history: History;
  readonly loaders: Loaders;
  readonly media: MediaStore;
  readonly frames: Pick<Frames, "take">;
  readonly log: Log;
  /** Largest `first`. */
  readonly maxFirst: number;
  readonly filterLimits: FilterLimits;
  /** Of one summary. */
  readonly maxBuckets: number;
  /** Of one zone, or of one site. */
  readonly maxZoneVertices: number;
  /** Objects that one operation may produce. */
  readonly maxCost: number;
  readonly maxAnswerBytes: number;
  /** Lists that hold more than `cost.ts` can know take from it. */
  readonly budget: Budget;
  /** Through views in memory, counted by the budget. */
  readonly walk: Walk;
  /** A summary may take the store's time and memory of a whole query, so an operation asks for few at a time. */
  readonly summaries: Turns;
  /** Where a detection is by its camera's calibration. */
  readonly locate: Locate;
  readonly heartbeats: Heartbeats;
  readonly heard: Heard;
  readonly write: Write;
  /** Positions of the events that the operation wrote; the answer carries them as `extensions.position`. */
  readonly positions: LogPosition[];
  /** Positions up to which the caller wants to see the log; empty if it asked for none. */
  readonly minPosition: readonly LogPosition[];
  /**
   * Resolves when the records of a topic up to `minPosition` can be queried: without a topic, tracks and detections.
   * Rejects with UNAVAILABLE after a bound.
   */
  historyReached(topic?: RecordTopic): Promise<void>;
  /** The same for zone intersections. */
  intersectionsReached(): Promise<void>;
  /** The same for zones. */
  zonesReached(): Promise<void>;
  /** The same for the entities of the catalog. */
  catalogReached(): Promise<void>;
}

// The parts of an operation's context that its queries use.
import type { Catalog } from "../../../projections/catalog/catalog.ts";
import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import type { FilterLimits } from "../../../projections/filters/read-filter.ts";
import type { Walk } from "../../../projections/filters/walk.ts";
import type { History } from "../../../projections/history/queries/records.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import type { RecordTopic } from "./await-position.ts";
import type { Loaders } from "./loaders.ts";

export interface ReadContext {
  readonly catalog: Catalog;
  readonly history: History;
  readonly loaders: Loaders;
  /** Largest `first`. */
  readonly maxFirst: number;
  readonly filterLimits: FilterLimits;
  /** Walks through views in memory, counted by the budget. */
  readonly walk: Walk;
  /** Positions up to which the caller wants to see the log; empty if it requested none. */
  readonly minPosition: readonly LogPosition[];
  /**
   * Resolves when the records of a topic up to `minPosition` can be queried, by default tracks and detections. Rejects
   * with UNAVAILABLE when that takes too long.
   */
  historyReached(topic?: RecordTopic): Promise<void>;
  /** The same for zone intersections. */
  intersectionsReached(): Promise<void>;
  /** The same for zones. */
  zonesReached(): Promise<void>;
  /** The same for the entities of the catalog. */
  catalogReached(): Promise<void>;
  /** Resolves with the zones as they were at a time of the log, ms. */
  zonesAt(at: number): Promise<ZonesView>;
}

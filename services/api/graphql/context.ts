// What a resolver may use. A plain interface: mutations and subscriptions extend it with what they need.

import type { CatalogView } from "../../../projections/catalog/catalog-view.ts";
import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import type { FilterLimits } from "../../../projections/filters/read-filter.ts";
import type { History } from "../../../projections/history/queries/records.ts";
import type { Scope } from "../../../schemas/events.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import type { Log } from "../../common/log.ts";
import type { Loaders } from "../read/loaders.ts";

/** Who asks. */
export interface Principal {
  readonly tokenId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

export interface ApiContext {
  readonly principal: Principal;
  readonly catalog: CatalogView;
  readonly zones: ZonesView;
  readonly history: History;
  readonly loaders: Loaders;
  readonly log: Log;
  /** Largest `first`. */
  readonly maxFirst: number;
  readonly filterLimits: FilterLimits;
  /** Mutations add what they wrote; the answer carries it as `extensions.position`. */
  readonly positions: LogPosition[];
  /** What the caller wants to see at least; empty when nothing was asked. */
  readonly minPosition: readonly LogPosition[];
  /** Resolves when tracks and detections up to `minPosition` can be queried; UNAVAILABLE after a bound. */
  historyReached(): Promise<void>;
  /** The same for zone intersections. */
  intersectionsReached(): Promise<void>;
  /** The same for zones. */
  zonesReached(): Promise<void>;
  /** The same for data sources. */
  catalogReached(): Promise<void>;
}

// The parts of an operation's context that its writes use.
import type { Catalog } from "../../../projections/catalog/catalog.ts";
import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import type { Log } from "../../common/log.ts";
import type { Write } from "./write.ts";

export interface WriteContext {
  readonly catalog: Catalog;
  readonly zones: ZonesView;
  readonly log: Log;
  readonly write: Write;
  /** Positions of the events that the operation wrote; the answer carries them as `extensions.position`. */
  readonly positions: LogPosition[];
}

// The recorded messages of a run, wherever they are read from.
import type { Catalog } from "../../../projections/catalog/catalog.ts";
import type { LiveListener } from "../../../projections/live/partition.ts";
import type { Segment } from "../../../projections/replay/session.ts";
import type { PrepareSegments } from "../../recorded/read-segment.ts";
import type { OpenSignals } from "./recorded-signals.ts";

export interface ReplaySource {
  readonly plan: readonly Segment[];
  /** A time, ms, at or before which the ends of the segments were read from the log. */
  readonly plannedAt: number;
  /** The listener raises the signals. The zones and settings are those of the command. */
  readonly prepare: (listener: LiveListener) => PrepareSegments;
  readonly catalog: Catalog;
  /** Undefined when the source has no signals of then. */
  readonly openSignals: OpenSignals | undefined;
  close(): Promise<void>;
}

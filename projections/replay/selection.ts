// The choices of a replay: the part of the log, the zones, and the settings of the fold.
import type { Zone } from "../../schemas/events.ts";

/** Offsets of one partition of the camera-log; `to` is exclusive. */
export interface OffsetSpan {
  readonly partition: number;
  readonly from: number;
  readonly to: number;
}

/** Event times, ms; `to` is exclusive. */
export interface EventWindow {
  readonly from: number;
  readonly to: number;
}

export interface RangeSelection extends EventWindow {
  readonly kind: "range";
  readonly dataSourceIds: readonly string[];
  /** The sites that the caller named in place of data sources. They are shown, and nothing else. */
  readonly siteIds?: readonly string[];
}

/** The part of the log that is replayed. Times are event times in ms; `to` is exclusive everywhere. */
export type ReplaySelection =
  | { readonly kind: "tracks"; readonly trackIds: readonly string[] }
  | RangeSelection
  | { readonly kind: "offsets"; readonly spans: readonly OffsetSpan[] };

/** "then": the zones as they were at each offset. "now": the present ones, throughout. A list: these, throughout. */
export type ReplayZones = "then" | "now" | readonly Zone[];

/** Settings of the fold, and of all zones, in place of the recorded ones. Undefined members are as recorded. */
export interface ReplaySettings {
  readonly trackTtlMs?: number | undefined;
  readonly reorderMs?: number | undefined;
  readonly updateIntervalMs?: number | undefined;
  readonly exitDelayMs?: number | undefined;
  readonly enterDetections?: number | undefined;
}

/** @returns true when the fold follows the zones and settings that the log was folded with. */
export const isAsRecorded = (zones: ReplayZones, settings: ReplaySettings): boolean =>
  zones === "then" && Object.values(settings).every((value) => value === undefined);

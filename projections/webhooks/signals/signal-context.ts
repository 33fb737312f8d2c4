// The things that the signals of one message and one data source share.
import type { Fold, LiveZone } from "../../live/state.ts";
import type { ZoneUpdate } from "../../live/views.ts";
import type { Subscribers, ZoneSubscriber } from "./subscribers.ts";

export interface SignalContext {
  readonly fold: Fold;
  /** The subscriptions to the data source. */
  readonly subscribers: Subscribers;
  /** The changes in zones since the last comparison of compositions. */
  frame: Frame | undefined;
}

export interface Frame {
  /** The timestamp of its detections; NaN when it has none. */
  readonly at: number;
  readonly zones: Map<LiveZone, Map<string, ZoneChange>>;
}

/** The changes in a zone, as one subscription sees them. */
export interface ZoneChange {
  readonly subscriber: ZoneSubscriber;
  /** Number of tracks that entered, less those that left. */
  readonly net: number;
  /** The last update. */
  readonly update: ZoneUpdate;
}

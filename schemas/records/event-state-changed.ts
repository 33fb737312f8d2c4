import { double, long, optional, record, string, time, word } from "../avro.ts";

export type ScopeType = "track" | "zone" | "device" | "site";
export type EventState = "pending" | "active" | "closing" | "closed";
export type ClosureReason = "conditions_not_met" | "event_timeout" | "track_expired" | "manual_close";

/** The whole state of one event, so that only the newest message of its key matters. */
export interface EventStateChanged {
  /** JSON of [scope id, workflow id]. */
  readonly key: string;
  readonly scopeId: string;
  readonly scopeType: ScopeType;
  readonly workflowId: string;
  readonly workflowName: string;
  readonly state: EventState;
  /**
   * Grows with every change of the key, and is never below the time of the change. A reader keeps the state with the
   * largest one.
   */
  readonly version: number;
  readonly globalEventId: string | null;
  readonly eventStartTime: number | null;
  readonly eventEndTime: number | null;
  readonly closureReason: ClosureReason | null;
  readonly cooldownHours: number;
  readonly autoCloseHours: number;
  /** End of the lease of a pending or closing event, ms. Until then no other caller is asked to act. */
  readonly leaseUntil: number | null;
  /** Time of closure, at which the cooldown begins. */
  readonly closedAt: number | null;
  /** For a track, its stage of life at the last check, so that the next check notices an expiry (TrackMark). */
  readonly trackMark: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const eventStateChanged = record<EventStateChanged>("EventStateChanged", {
  key: string,
  scopeId: string,
  scopeType: word<ScopeType>(),
  workflowId: string,
  workflowName: string,
  state: word<EventState>(),
  version: long,
  globalEventId: optional(string),
  eventStartTime: optional(time),
  eventEndTime: optional(time),
  closureReason: optional(word<ClosureReason>()),
  cooldownHours: double,
  autoCloseHours: double,
  leaseUntil: optional(time),
  closedAt: optional(time),
  trackMark: optional(string),
  createdAt: time,
  updatedAt: time,
});

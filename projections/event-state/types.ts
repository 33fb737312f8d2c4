// The requests about the event of one scope and workflow, and the answers. Times are milliseconds since the epoch.
import type { ClosureReason, EventStateChanged, ScopeType } from "../../schemas/events.ts";
import type { TrackMark } from "./track-mark.ts";

/** Undefined when there is no event, or it was forgotten. */
export type CurrentEvent = EventStateChanged | undefined;

/** The action that the caller must take. */
export type Action = "create_event" | "update_event" | "close_event" | "no_action";

export interface DecisionMoment {
  readonly now: number;
  /** Milliseconds that a caller has to create or close the event, from the answer that asks it to. */
  readonly leaseMs: number;
  /** Milliseconds for which a closed event is kept, and also one that a caller should have created but did not. */
  readonly keepMs: number;
}

/** A workflow has checked its conditions. */
export interface Check {
  readonly kind: "check";
  readonly scopeId: string;
  readonly scopeType: ScopeType;
  readonly workflowId: string;
  readonly workflowName: string;
  readonly conditionsMet: boolean;
  readonly cooldownHours: number;
  readonly autoCloseHours: number;
}

/** A caller reports an action that it has taken. */
export interface Update {
  readonly kind: "update";
  readonly globalEventId?: string | undefined;
  readonly eventStartTime?: number | undefined;
  readonly eventEndTime?: number | undefined;
  readonly state?: "active" | "closing" | "closed" | undefined;
  readonly closureReason?: ClosureReason | undefined;
}

/** Time has passed, without a request. */
export interface Wait {
  readonly kind: "wait";
}

/** The track's present live state, for a check whether the track has expired. */
export interface TrackSighting {
  readonly kind: "sighting";
  readonly track: TrackMark | undefined;
  /** Offset up to which the track's partition of the log is folded. */
  readonly next: number;
}

export type EventRequest = Check | Update | Wait | TrackSighting;

export type Decision = Decided | EventRefusal;

export interface Decided {
  /** The object that was passed, when nothing changes. */
  readonly state: CurrentEvent;
  readonly action: Action;
}

export interface EventRefusal {
  readonly refused: "unknown" | "conflict";
  readonly reason: string;
}

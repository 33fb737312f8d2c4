// What may be asked of the event of one scope and workflow, and what is answered. Times are ms since the epoch.
import type { ClosureReason, EventStateChanged, ScopeType } from "../../schemas/events.ts";
import type { TrackMark } from "./track-mark.ts";

/** Undefined: there is no event, or it was forgotten. */
export type Known = EventStateChanged | undefined;

/** What a caller is to do now. */
export type Action = "create_event" | "update_event" | "close_event" | "no_action";

export interface Moment {
  readonly now: number;
  /** How long the caller that was told to create or close an event has for it. */
  readonly leaseMs: number;
  /** How long an event is still known that was closed, or told to be created and never was. */
  readonly keepMs: number;
}

/** A workflow has judged its conditions. */
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

/** A caller says what it has done. */
export interface Update {
  readonly kind: "update";
  readonly globalEventId?: string | undefined;
  readonly eventStartTime?: number | undefined;
  readonly eventEndTime?: number | undefined;
  readonly state?: "active" | "closing" | "closed" | undefined;
  readonly closureReason?: ClosureReason | undefined;
}

/** Time has passed, and nobody asks. */
export interface Wait {
  readonly kind: "wait";
}

/** What live state says of the track now; undefined: it does not know the track. */
export interface Look {
  readonly kind: "look";
  readonly track: TrackMark | undefined;
  /** Offset up to which the track's partition of the log is folded. */
  readonly next: number;
}

export type Asked = Check | Update | Wait | Look;

export type Decision = Decided | Refused;

export interface Decided {
  /** The very state that was given when nothing changes. */
  readonly state: Known;
  readonly action: Action;
}

export interface Refused {
  readonly refused: "unknown" | "conflict";
  readonly reason: string;
}

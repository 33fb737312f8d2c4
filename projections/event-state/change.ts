// The steps of which every decision consists.
import type { ClosureReason, EventStateChanged } from "../../schemas/events.ts";
import { HOUR_MS } from "../../schemas/units.ts";

/** Hours may have fractions, but a time has whole milliseconds. */
const msOf = (hours: number): number => Math.round(hours * HOUR_MS);

export type EventStateChanges = Partial<EventStateChanged>;

/** Applies changes. The version grows even when the clock was set back. */
export const withChanges = (state: EventStateChanged, changes: EventStateChanges, now: number): EventStateChanged => ({
  ...state,
  ...changes,
  version: Math.max(state.version + 1, now),
  updatedAt: now,
});

export const close = (
  state: EventStateChanged,
  closureReason: ClosureReason,
  closedAt: number,
  now: number,
): EventStateChanged => withChanges(state, { state: "closed", closureReason, closedAt, leaseUntil: null }, now);

/** @returns Infinity when the event is never closed by itself. */
export const autoCloseAt = ({ createdAt, autoCloseHours }: EventStateChanged): number =>
  autoCloseHours === 0 ? Number.POSITIVE_INFINITY : createdAt + msOf(autoCloseHours);

/** The time before which a closed event keeps a new one from being created. */
export const cooldownEnd = ({ closedAt, cooldownHours }: EventStateChanged): number =>
  (closedAt ?? 0) + msOf(cooldownHours);

export const leaseEnd = ({ leaseUntil }: EventStateChanged): number => leaseUntil ?? Number.POSITIVE_INFINITY;

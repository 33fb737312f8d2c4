// The steps that every decision is made of.
import type { ClosureReason, EventStateChanged } from "../../schemas/events.ts";

const HOUR_MS = 3_600_000;
/** Fractions of an hour are allowed, and a time has whole milliseconds. */
const msOf = (hours: number): number => Math.round(hours * HOUR_MS);

export type Changes = Partial<EventStateChanged>;

/** The version grows also when the clock was set back. */
export const changed = (state: EventStateChanged, changes: Changes, now: number): EventStateChanged => ({
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
): EventStateChanged => changed(state, { state: "closed", closureReason, closedAt, leaseUntil: null }, now);

/** Infinity: it is never closed by itself. */
export const autoCloseAt = ({ createdAt, autoCloseHours }: EventStateChanged): number =>
  autoCloseHours === 0 ? Number.POSITIVE_INFINITY : createdAt + msOf(autoCloseHours);

/** Until then a closed event keeps a new one from being created. */
export const cooldownEnd = ({ closedAt, cooldownHours }: EventStateChanged): number =>
  (closedAt ?? 0) + msOf(cooldownHours);

export const leaseEnd = ({ leaseUntil }: EventStateChanged): number => leaseUntil ?? Number.POSITIVE_INFINITY;

// Changes of an event that time alone causes. Every decision begins with them, so none depends on how promptly a timer
// fires.
import type { EventStateChanged } from "../../schemas/events.ts";
import { autoCloseAt, close, cooldownEnd, leaseEnd } from "./change.ts";
import type { CurrentEvent, DecisionMoment } from "./types.ts";

type Times = Pick<DecisionMoment, "keepMs">;

export function passTime(state: CurrentEvent, { now, keepMs }: DecisionMoment): CurrentEvent {
  if (state === undefined) return undefined;
  const due = closureOf(state);
  const kept = due.at <= now ? close(state, due.reason, due.at, now) : state;
  return forgottenAt(kept, { keepMs }) <= now ? undefined : kept;
}

/**
 * The next time at which time alone changes the state.
 * @returns Infinity when it never does.
 */
export const dueAt = (state: EventStateChanged, times: Times): number =>
  Math.min(closureOf(state).at, forgottenAt(state, times));

function closureOf(state: EventStateChanged) {
  if (state.state === "active") return { at: autoCloseAt(state), reason: "event_timeout" } as const;
  if (state.state === "closing") return { at: leaseEnd(state), reason: "conditions_not_met" } as const;
  return { at: Number.POSITIVE_INFINITY, reason: "event_timeout" } as const;
}

/**
 * A closed event is known at least until its cooldown has ended. An event that was never created is known until no
 * caller can still be creating it.
 */
function forgottenAt(state: EventStateChanged, { keepMs }: Times): number {
  if (state.state === "pending") return leaseEnd(state) + keepMs;
  if (state.state !== "closed") return Number.POSITIVE_INFINITY;
  return Math.max(cooldownEnd(state), (state.closedAt ?? 0) + keepMs);
}

// What becomes of an event when nobody asks. Every decision begins with it, so none depends on how promptly a clock
// comes round.
import type { EventStateChanged } from "../../schemas/events.ts";
import { autoCloseAt, close, cooldownEnd, leaseEnd } from "./change.ts";
import type { Known, Moment } from "./types.ts";

type Times = Pick<Moment, "keepMs">;

export function passTime(state: Known, { now, keepMs }: Moment): Known {
  if (state === undefined) return undefined;
  const due = closureOf(state);
  const kept = due.at <= now ? close(state, due.reason, due.at, now) : state;
  return forgottenAt(kept, { keepMs }) <= now ? undefined : kept;
}

/** When time alone changes the state next; Infinity: never. */
export const dueAt = (state: EventStateChanged, times: Times): number =>
  Math.min(closureOf(state).at, forgottenAt(state, times));

function closureOf(state: EventStateChanged) {
  if (state.state === "active") return { at: autoCloseAt(state), reason: "event_timeout" } as const;
  if (state.state === "closing") return { at: leaseEnd(state), reason: "conditions_not_met" } as const;
  return { at: Number.POSITIVE_INFINITY, reason: "event_timeout" } as const;
}

/** A closed event is known until its cooldown has ended at least; one that was never created until nobody can be at it. */
function forgottenAt(state: EventStateChanged, { keepMs }: Times): number {
  if (state.state === "pending") return leaseEnd(state) + keepMs;
  if (state.state !== "closed") return Number.POSITIVE_INFINITY;
  return Math.max(cooldownEnd(state), (state.closedAt ?? 0) + keepMs);
}

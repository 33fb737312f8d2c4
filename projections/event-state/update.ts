// A caller reports its action: it created the event, began to close it, or closed it.
import type { EventState, EventStateChanged } from "../../schemas/events.ts";
import { type EventStateChanges, withChanges } from "./change.ts";
import type { CurrentEvent, Decision, DecisionMoment, EventRefusal, Update } from "./types.ts";

/** The states that a caller may set. A closed event stays closed. */
const allowed: Readonly<Record<EventState, readonly EventState[]>> = {
  pending: ["active", "closed"],
  active: ["active", "closing", "closed"],
  closing: ["closing", "closed"],
  closed: ["closed"],
};

export function update(state: CurrentEvent, asked: Update, moment: DecisionMoment): Decision {
  if (state === undefined) return { refused: "unknown", reason: "there is no event of this scope and workflow" };
  const globalEventId = state.globalEventId ?? asked.globalEventId ?? null;
  if (asked.globalEventId !== undefined && asked.globalEventId !== globalEventId) {
    return conflict(`the event has the global_event_id ${globalEventId} already`);
  }
  const target = asked.state ?? impliedState(state, asked);
  if (!allowed[state.state].includes(target))
    return conflict(`the event is ${state.state} and cannot become ${target}`);
  if (target === "active" && globalEventId === null) return conflict("an active event needs a global_event_id");
  const changes: EventStateChanges = {
    ...timesOf(state, asked, globalEventId),
    ...step(state, target, asked, moment),
    globalEventId,
  };
  return { state: apply(state, changes, moment.now), action: "no_action" };
}

/** An event with an end counts as closed at once. */
function impliedState({ state }: EventStateChanged, { eventEndTime, globalEventId }: Update): EventState {
  if (eventEndTime !== undefined) return "closed";
  return state === "pending" && globalEventId !== undefined ? "active" : state;
}

function timesOf(state: EventStateChanged, asked: Update, globalEventId: string | null): EventStateChanges {
  // Unless the caller gives the time, the event began when its conditions were met.
  const begun = globalEventId === null ? null : state.createdAt;
  return {
    eventStartTime: asked.eventStartTime ?? state.eventStartTime ?? begun,
    eventEndTime: asked.eventEndTime ?? state.eventEndTime,
  };
}

function step(
  state: EventStateChanged,
  target: EventState,
  asked: Update,
  { now, leaseMs }: DecisionMoment,
): EventStateChanges {
  if (target === state.state) return {};
  if (target === "closing") return { state: target, leaseUntil: now + leaseMs };
  if (target === "active") return { state: target, leaseUntil: null };
  const usual = state.state === "closing" ? "conditions_not_met" : "manual_close";
  return { state: target, leaseUntil: null, closedAt: now, closureReason: asked.closureReason ?? usual };
}

function apply(state: EventStateChanged, changes: EventStateChanges, now: number): EventStateChanged {
  const next = { ...state, ...changes };
  const isSame = Object.keys(changes).every((field) => Reflect.get(next, field) === Reflect.get(state, field));
  return isSame ? state : withChanges(state, changes, now);
}

const conflict = (reason: string): EventRefusal => ({ refused: "conflict", reason });

// Decides what a workflow must do after it has checked its conditions: one caller must create the event, and one must
// close it.
import type { EventStateChanged } from "../../schemas/events.ts";
import { cooldownEnd, leaseEnd, withChanges } from "./change.ts";
import type { Check, CurrentEvent, Decision, DecisionMoment } from "./types.ts";

export function check(state: CurrentEvent, asked: Check, moment: DecisionMoment): Decision {
  if (state === undefined) return asked.conditionsMet ? create(state, asked, moment) : { state, action: "no_action" };
  if (state.scopeType !== asked.scopeType) {
    return {
      refused: "conflict",
      reason: `the event of this scope and workflow has the scope_type ${state.scopeType}`,
    };
  }
  return asked.conditionsMet ? whenMet(state, asked, moment) : whenNotMet(state, moment);
}

function whenMet(state: EventStateChanged, asked: Check, moment: DecisionMoment): Decision {
  switch (state.state) {
    case "pending":
      return leaseEnd(state) <= moment.now ? create(state, asked, moment) : { state, action: "no_action" };
    case "active":
      return { state, action: "update_event" };
    case "closing":
      return { state, action: "no_action" };
    case "closed":
      return cooldownEnd(state) <= moment.now ? create(state, asked, moment) : { state, action: "no_action" };
  }
}

function whenNotMet(state: EventStateChanged, { now, leaseMs }: DecisionMoment): Decision {
  if (state.state !== "active") return { state, action: "no_action" };
  return { state: withChanges(state, { state: "closing", leaseUntil: now + leaseMs }, now), action: "close_event" };
}

function create(before: CurrentEvent, asked: Check, { now, leaseMs }: DecisionMoment): Decision {
  const { scopeId, scopeType, workflowId, workflowName, cooldownHours, autoCloseHours } = asked;
  const state: EventStateChanged = {
    key: eventKey(scopeId, workflowId),
    scopeId,
    scopeType,
    workflowId,
    workflowName,
    state: "pending",
    version: Math.max((before?.version ?? 0) + 1, now),
    globalEventId: null,
    eventStartTime: null,
    eventEndTime: null,
    closureReason: null,
    cooldownHours,
    autoCloseHours,
    leaseUntil: now + leaseMs,
    closedAt: null,
    trackMark: null,
    createdAt: now,
    updatedAt: now,
  };
  return { state, action: "create_event" };
}

/** Key of the event's messages and of everything that is stored of it. */
export const eventKey = (scopeId: string, workflowId: string): string => JSON.stringify([scopeId, workflowId]);

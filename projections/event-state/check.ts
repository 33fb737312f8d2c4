// A workflow has judged its conditions: one caller is told to create the event, one to close it.
import type { EventStateChanged } from "../../schemas/events.ts";
import { changed, cooldownEnd, leaseEnd } from "./change.ts";
import type { Check, Decision, Known, Moment } from "./types.ts";

export function check(state: Known, asked: Check, moment: Moment): Decision {
  if (state === undefined) return asked.conditionsMet ? create(state, asked, moment) : { state, action: "no_action" };
  if (state.scopeType !== asked.scopeType) {
    return {
      refused: "conflict",
      reason: `the event of this scope and workflow has the scope_type ${state.scopeType}`,
    };
  }
  return asked.conditionsMet ? met(state, asked, moment) : notMet(state, moment);
}

function met(state: EventStateChanged, asked: Check, moment: Moment): Decision {
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

function notMet(state: EventStateChanged, { now, leaseMs }: Moment): Decision {
  if (state.state !== "active") return { state, action: "no_action" };
  return { state: changed(state, { state: "closing", leaseUntil: now + leaseMs }, now), action: "close_event" };
}

function create(before: Known, asked: Check, { now, leaseMs }: Moment): Decision {
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

/** Key of the event's messages, and of all that is kept of it. */
export const eventKey = (scopeId: string, workflowId: string): string => JSON.stringify([scopeId, workflowId]);

// One event of one scope and workflow, with a clock that the test sets.
import { decide } from "../../../../projections/event-state/decide.ts";
import type {
  Check,
  CurrentEvent,
  Decision,
  DecisionMoment,
  EventRequest,
  Update,
} from "../../../../projections/event-state/types.ts";

export const T0 = Date.UTC(2026, 0, 1);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export const times = { leaseMs: MINUTE, keepMs: HOUR };

export const checked = (conditionsMet: boolean, more: Partial<Check> = {}): Check => ({
  kind: "check",
  scopeId: "t1",
  scopeType: "track",
  workflowId: "wf",
  workflowName: "Gate watch",
  conditionsMet,
  cooldownHours: 0,
  autoCloseHours: 24,
  ...more,
});

export const updated = (changes: Omit<Update, "kind">): Update => ({ kind: "update", ...changes });

export function createEvent() {
  let state: CurrentEvent;
  let now = T0;

  /** Gives the action, or why the request was refused. */
  function ask(asked: EventRequest): string {
    const moment: DecisionMoment = { now, ...times };
    const decision: Decision = decide(state, asked, moment);
    if ("refused" in decision) return decision.refused;
    ({ state } = decision);
    return decision.action;
  }

  return {
    ask,
    check: (met: boolean, more: Partial<Check> = {}) => ask(checked(met, more)),
    update: (changes: Omit<Update, "kind">) => ask(updated(changes)),
    wait(ms: number) {
      now += ms;
    },
    now: () => now,
    state: () => state,
    /** Creates the event, and says so. */
    open(more: Partial<Check> = {}) {
      ask(checked(true, more));
      ask(updated({ globalEventId: "e1" }));
    },
  };
}

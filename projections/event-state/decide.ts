// Decides the next state of an event: pending, active, closing or closed. The decision is pure: the caller passes the
// time, and stores the result only if the state is still the one that it passed.
import { check } from "./check.ts";
import { closeIfExpired } from "./close-if-expired.ts";
import { passTime } from "./pass-time.ts";
import type { CurrentEvent, Decision, DecisionMoment, EventRequest } from "./types.ts";
import { update } from "./update.ts";

export function decide(known: CurrentEvent, asked: EventRequest, moment: DecisionMoment): Decision {
  const state = passTime(known, moment);
  switch (asked.kind) {
    case "check":
      return check(state, asked, moment);
    case "update":
      return update(state, asked, moment);
    case "sighting":
      return closeIfExpired(state, asked, moment);
    case "wait":
      return { state, action: "no_action" };
  }
}

// The life of an event: pending, active, closing, closed. Pure: the caller passes the time, and stores the result only
// if the state is still the one that it gave.
import { check } from "./check.ts";
import { look } from "./look.ts";
import { passTime } from "./pass-time.ts";
import type { Asked, Decision, Known, Moment } from "./types.ts";
import { update } from "./update.ts";

export function decide(known: Known, asked: Asked, moment: Moment): Decision {
  const state = passTime(known, moment);
  switch (asked.kind) {
    case "check":
      return check(state, asked, moment);
    case "update":
      return update(state, asked, moment);
    case "look":
      return look(state, asked, moment);
    case "wait":
      return { state, action: "no_action" };
  }
}

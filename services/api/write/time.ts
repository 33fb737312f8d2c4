import type { EventBounds } from "../../../schemas/bounds.ts";
import { limits } from "../../../schemas/checks.ts";
import { badInput } from "../../../schemas/errors.ts";
import type { MutationDeps } from "./deps.ts";

/** What a mutation is measured by, read once when it comes. */
export interface DoorBounds extends EventBounds {
  /** Latest instant accepted, ms: a timestamp beyond it would end every track of its camera. */
  readonly latest: number;
}

/** Before the log has told its time nothing is too late here: then its answer to the write decides alone. */
export function doorBounds({ bounds, clock }: Pick<MutationDeps, "bounds" | "clock">): DoorBounds {
  return { ...bounds, latest: (clock.now() ?? Number.POSITIVE_INFINITY) + bounds.maxFutureMs };
}

/** Throws BAD_USER_INPUT when the instant is outside the calendar or too far in the future. */
export function checkInstant(
  ms: number,
  { latest, maxFutureMs }: DoorBounds,
  path: readonly (string | number)[],
): void {
  if (Math.abs(ms) > limits.maxTimestampMs) throw badInput("the time is outside the calendar", path);
  if (ms > latest) {
    const now = new Date(latest - maxFutureMs).toISOString();
    throw badInput(`the time is too far in the future: more than ${maxFutureMs} ms beyond ${now}`, path);
  }
}

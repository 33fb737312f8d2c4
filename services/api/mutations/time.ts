import { limits } from "../../../schemas/checks.ts";
import { badInput } from "../../common/errors.ts";

export interface TimeBounds {
  /** Latest instant accepted, ms: a timestamp beyond it would end every track of its camera. */
  readonly latest: number;
}

/** Throws BAD_USER_INPUT when the instant is outside the calendar or too far in the future. */
export function checkInstant(ms: number, { latest }: TimeBounds, path: readonly (string | number)[]): void {
  if (Math.abs(ms) > limits.maxTimestampMs) throw badInput("the time is outside the calendar", path);
  if (ms > latest) throw badInput("the time is too far in the future", path);
}

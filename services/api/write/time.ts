import type { EventBounds } from "../../../schemas/bounds.ts";
import { checkTime } from "../../../schemas/check-times.ts";
import { latestAt } from "../../../schemas/checks.ts";
import { badInput } from "../../../schemas/errors.ts";
import type { MutationDeps } from "./deps.ts";

/** Limits for the instants in a mutation, read once when it arrives. */
export interface TimeBounds extends EventBounds {
  /** Latest instant accepted, ms: a timestamp beyond it would end every track of its camera. */
  readonly latest: number;
}

/**
 * Returns the limits for the instants of a mutation. While the log's time is unknown, no instant is too late here: the
 * log's answer to the write decides.
 */
export function doorBounds({ bounds, clock }: Pick<MutationDeps, "bounds" | "clock">): TimeBounds {
  return { ...bounds, latest: latestAt(clock.now() ?? Number.POSITIVE_INFINITY, bounds) };
}

/** Throws BAD_USER_INPUT when the instant is outside the calendar or too far in the future. */
export function checkInstant(
  ms: number,
  { latest, maxFutureMs }: TimeBounds,
  path: readonly (string | number)[],
): void {
  const flaw = checkTime(ms, latest);
  if (flaw === undefined) return;
  const now = ms > latest ? `: more than ${maxFutureMs} ms beyond ${new Date(latest - maxFutureMs).toISOString()}` : "";
  throw badInput(`the time is ${flaw.reason}${now}`, path);
}

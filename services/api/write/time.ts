import type { EventBounds } from "../../../schemas/bounds.ts";
import { checkTime, latestAt } from "../../../schemas/checks.ts";
import { badInput } from "../../../schemas/errors.ts";
import type { MutationDeps } from "./deps.ts";

/** The bounds of a mutation, read once when it arrives. */
export interface DoorBounds extends EventBounds {
  /** Latest instant accepted, ms: a timestamp beyond it would end every track of its camera. */
  readonly latest: number;
}

/** While the log's time is unknown, every instant passes here: the log's answer to the write then decides alone. */
export function doorBounds({ bounds, clock }: Pick<MutationDeps, "bounds" | "clock">): DoorBounds {
  return { ...bounds, latest: latestAt(clock.now() ?? Number.POSITIVE_INFINITY, bounds) };
}

/** Throws BAD_USER_INPUT when the instant is outside the calendar or too far in the future. */
export function checkInstant(
  ms: number,
  { latest, maxFutureMs }: DoorBounds,
  path: readonly (string | number)[],
): void {
  const flaw = checkTime(ms, latest);
  if (flaw === undefined) return;
  const now = ms > latest ? `: more than ${maxFutureMs} ms beyond ${new Date(latest - maxFutureMs).toISOString()}` : "";
  throw badInput(`the time is ${flaw.reason}${now}`, path);
}

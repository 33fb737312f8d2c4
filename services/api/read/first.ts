import { badInput } from "../../../schemas/errors.ts";

/** Throws BAD_USER_INPUT unless 0 <= first <= max. */
export function checkFirst(first: number, max: number): number {
  if (first < 0) throw badInput("first is 0 or more", ["first"]);
  if (first > max) throw badInput(`first is at most ${max}`, ["first"]);
  return first;
}

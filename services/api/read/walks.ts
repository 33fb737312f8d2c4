// Walks through views in memory that a filter judges. They are cut into slices, of which each turn of the event loop has
// one, whichever requests they belong to: together they never hold the loop for longer than one slice.
import type { Walk } from "../../../projections/filters/walk.ts";
import type { LoopTurns } from "../../common/loop-turns.ts";

const SLICE_MS = 5;
/** Some half of a millisecond. */
const STEP_TESTS = 10_000;
/** An operation that takes no more in all never pauses. */
const FREE_TESTS = 20_000;
/** To look at an item and to sort it in. */
const ITEM_TESTS = 5;

/** `spend` counts the tests before they are made, and throws when they are too many; `isOver` ends a walk half-way. */
export function createWalk(
  turns: LoopTurns,
  { spend, isOver }: { readonly spend: (tests: number) => void; readonly isOver: () => boolean },
): Walk {
  let free = FREE_TESTS;
  return async (given, tests, visit) => {
    const items = [...given];
    const each = tests + ITEM_TESTS;
    spend(items.length * each);
    free -= items.length * each;
    const step = free >= 0 ? items.length : Math.max(1, Math.floor(STEP_TESTS / each));
    for (let at = 0; at < items.length && !isOver(); ) {
      if (free < 0) await turns.next();
      const endsAt = performance.now() + SLICE_MS;
      do {
        const end = Math.min(items.length, at + step);
        for (; at < end; at++) visit(items[at] as (typeof items)[number]);
      } while (at < items.length && performance.now() < endsAt);
    }
  };
}

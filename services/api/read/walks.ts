// Walks through views in memory with a filter. They are cut into slices, and each turn of the event loop runs one
// slice, no matter which request it belongs to: together they never hold the loop for longer than one slice.
import type { Walk } from "../../../projections/filters/walk.ts";
import type { LoopTurns } from "../../common/loop-turns.ts";

const SLICE_MS = 5;
/** One or two milliseconds of work. An operation that takes no more in all never pauses. */
const TURN_TESTS = 50_000;
/** Tests between two checks of the clock. */
const STEP_TESTS = 10_000;
/** Reading an item and sorting it in takes as long as this number of tests. */
const ITEM_TESTS = 5;

/**
 * `spend` counts the tests before they are made, and throws when they exceed the budget; `isOver` ends a walk half-way.
 */
export function createWalk(
  turns: LoopTurns,
  { spend, isOver }: { readonly spend: (tests: number) => void; readonly isOver: () => boolean },
): Walk {
  /** Tests since the last pause, by all walks of the operation. */
  let made = 0;
  return async (given, tests, visit) => {
    const items = [...given];
    const each = tests + ITEM_TESTS;
    spend(items.length * each);
    const step = Math.max(1, Math.floor(STEP_TESTS / each));
    for (let at = 0; at < items.length && !isOver(); ) {
      if (made > TURN_TESTS) {
        await turns.next();
        made = 0;
      }
      const endsAt = performance.now() + SLICE_MS;
      do {
        const end = Math.min(items.length, at + step);
        made += (end - at) * each;
        for (; at < end; at++) visit(items[at] as (typeof items)[number]);
      } while (at < items.length && made <= TURN_TESTS && performance.now() < endsAt);
      if (at < items.length) made = Math.max(made, TURN_TESTS + 1);
    }
  };
}

// What an operation really produces. `cost.ts` assumes a length for a list without `first`; a list in memory, or one that
// many objects share, may be of any length, and lists within lists multiply.
import { setImmediate } from "node:timers/promises";
import { badInput } from "../../../schemas/errors.ts";

export interface Budget {
  /** Counts the list. Throws BAD_USER_INPUT for the first one that is too much; after that every list is empty. */
  take<T>(list: readonly T[]): readonly T[];
  /** Counts the list, and gives it out later if there were many before: others have a turn of the event loop between. */
  give<T>(list: readonly T[]): readonly T[] | Promise<readonly T[]>;
  /** Counts tests of filters against views in memory. Throws BAD_USER_INPUT for the first that are too many. */
  spend(tests: number): void;
  /** Spends all of it. Throws BAD_USER_INPUT, unless it was spent before. */
  refuse(reason: string): void;
  /** Then nothing of the answer is given out: some of its lists are empty that have entries. */
  isSpent(): boolean;
}

/** Some 5 ms of work. Most operations are smaller, and never pause. */
const TURN_OBJECTS = 1_000;

/** To make an object takes as long as so many tests. */
const OBJECT_TESTS = 50;

/** Of one operation; of a subscription, of each message. */
export function createBudget(maxCost: number): Budget {
  let left = maxCost;
  let thisTurn = 0;
  /** The turn of the event loop in which the next list is given out; undefined: this one. */
  let turn: Promise<void> | undefined;

  function take<T>(list: readonly T[]): readonly T[] {
    // One error and not one for each list that would follow: there may be a million of them.
    if (left < 0) return [];
    left -= list.length;
    if (left >= 0) return list;
    throw badInput(`the operation may produce more than ${maxCost} objects: ask for fewer (first) or less deep`);
  }

  return {
    take,
    spend(tests) {
      if (left < 0) return;
      left -= tests / OBJECT_TESTS;
      if (left >= 0) return;
      throw badInput(
        `the operation's filters take more than ${maxCost * OBJECT_TESTS} tests (API_MAX_COST): ask with fewer conditions`,
      );
    },
    give(list) {
      const taken = take(list);
      // Empty lists cost nothing, and there may be as many as objects: each would hold a promise.
      if (taken.length === 0) return taken;
      thisTurn += taken.length;
      if (thisTurn > TURN_OBJECTS) {
        turn = turn === undefined ? setImmediate() : turn.then(() => setImmediate());
        thisTurn = taken.length;
      }
      return turn === undefined ? taken : turn.then(() => taken);
    },
    refuse(reason) {
      if (left < 0) return;
      left = -1;
      throw badInput(reason);
    },
    isSpent: () => left < 0,
  };
}

// Counts the objects that an operation really produces. `cost.ts` assumes a length for a list without `first`; a list
// in memory, or one that many objects share, may be of any length, and lists within lists multiply.
import { setImmediate } from "node:timers/promises";
import { badInput } from "../../../schemas/errors.ts";

export interface Budget {
  /**
   * Counts the list. Throws BAD_USER_INPUT for the first list that exceeds the budget; after that every list is empty.
   */
  take<T>(list: readonly T[]): readonly T[];
  /**
   * Counts the list. If many objects were returned before, it is returned in a later turn of the event loop, so that
   * other requests are served meanwhile.
   */
  give<T>(list: readonly T[]): readonly T[] | Promise<readonly T[]>;
  /** Counts tests of filters against views in memory. Throws BAD_USER_INPUT for the first that exceed the budget. */
  spend(tests: number): void;
  /**
   * Spends the whole budget and throws BAD_USER_INPUT with the reason. Does nothing when the budget was spent before.
   */
  refuse(reason: string): void;
  /** When true, no part of the answer may be sent: some of its lists are empty although they have entries. */
  isSpent(): boolean;
}

/**
 * Number of objects in one turn of the event loop: about 5 ms of work. Most operations are smaller, and never pause.
 */
const TURN_OBJECTS = 1_000;

/** Creating an object takes as long as this number of filter tests. */
const OBJECT_TESTS = 50;

/** One budget serves one operation, or one message of a subscription. */
export function createBudget(maxCost: number): Budget {
  let left = maxCost;
  let thisTurn = 0;
  /** The turn of the event loop in which the next list is returned; undefined for the present one. */
  let turn: Promise<void> | undefined;

  function take<T>(list: readonly T[]): readonly T[] {
    // A single error is thrown, not one for each list that would follow: there may be a million of them.
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
      // An empty list never waits: there may be as many of them as objects, and each would hold a promise.
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

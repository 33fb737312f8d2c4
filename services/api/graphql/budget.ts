// What an operation really produces. `cost.ts` assumes a length for a list without `first`; a list in memory, or one that
// many objects share, may be of any length, and lists within lists multiply.
import { badInput } from "../../../schemas/errors.ts";

export interface Budget {
  /** Counts the list. Throws BAD_USER_INPUT for the first one that is too much; after that every list is empty. */
  take<T>(list: readonly T[]): readonly T[];
  /** Then nothing of the answer is given out: some of its lists are empty that have entries. */
  isSpent(): boolean;
}

/** Of one operation; of a subscription, of each message. */
export function createBudget(maxCost: number): Budget {
  let left = maxCost;
  return {
    take(list) {
      // One error and not one for each list that would follow: there may be a million of them.
      if (left < 0) return [];
      left -= list.length;
      if (left >= 0) return list;
      throw badInput(`the operation may produce more than ${maxCost} objects: ask for fewer (first) or less deep`);
    },
    isSpent: () => left < 0,
  };
}

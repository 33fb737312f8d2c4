// Limits the filter tests that a message of one kind may need: for all callers together, and for each token.
import { badInput, unavailable } from "../../../schemas/errors.ts";

export interface FilterTests {
  /** Undefined when the filter can match messages of every data source. */
  readonly sources: ReadonlySet<string> | undefined;
  /** Tests that the filter takes for one message. */
  readonly tests: number;
}

export interface TestBudget {
  /**
   * A filter counts once for all callers, and once for each token that uses it. Throws when the filter would exceed the
   * budget.
   */
  take(filter: FilterTests, tokenId: string, isNew: boolean): void;
  giveBack(filter: FilterTests, tokenId: string, isLast: boolean): void;
}

/** Tests of the filters by data source; the key undefined is for filters on any data source. */
type Counts = Map<string | undefined, number>;

/** The largest share of the whole budget that one token may use. */
const PART_OF_TOKEN = 0.25;

export function createTestBudget(maxTests: number): TestBudget {
  const all: Counts = new Map();
  const perToken = new Map<string, Counts>();
  const maxOfToken = maxTests * PART_OF_TOKEN;

  return {
    take(filter, tokenId, isNew) {
      if (filter.tests > maxOfToken) {
        throw badInput(
          `the filter takes ${filter.tests} tests for a message, the limit is ${maxOfToken} (${HINT}`,
          PATH,
        );
      }
      const own = perToken.get(tokenId) ?? new Map();
      if (!fits(own, filter, maxOfToken)) throw full(" with this token");
      if (isNew && !fits(all, filter, maxTests)) throw full("");
      perToken.set(tokenId, own);
      count(own, filter, 1);
      if (isNew) count(all, filter, 1);
    },
    giveBack(filter, tokenId, isLast) {
      const own = perToken.get(tokenId) ?? new Map();
      count(own, filter, -1);
      if (own.size === 0) perToken.delete(tokenId);
      if (isLast) count(all, filter, -1);
    },
  };
}

const HINT = "a fourth of API_FEED_TESTS): ask with fewer conditions";
const PATH = ["filter"];

const full = (whose: string) =>
  unavailable(`the filters of all subscriptions${whose} take too many tests (API_FEED_TESTS)`);

const placesOf = ({ sources }: FilterTests): Iterable<string | undefined> => sources ?? [undefined];

function fits(counts: Counts, filter: FilterTests, most: number): boolean {
  for (const place of placesOf(filter)) if ((counts.get(place) ?? 0) + filter.tests > most) return false;
  return true;
}

function count(counts: Counts, filter: FilterTests, sign: 1 | -1): void {
  for (const place of placesOf(filter)) {
    const total = (counts.get(place) ?? 0) + sign * filter.tests;
    if (total === 0) counts.delete(place);
    else counts.set(place, total);
  }
}

import { expect, test } from "vitest";
import { createReturns } from "../../../../../../services/common/kafka/read/watchdog.ts";

/** At which looks the reader begins anew. `looks`: of those that wait, how many have a leader again. */
function beginsAt(checks: readonly (readonly [returned: number, waiting: number])[]): number[] {
  const isTime = createReturns();
  return checks.flatMap(([returned, waiting], check) => (isTime(returned, waiting) ? [check] : []));
}

test.each([
  [
    "all that wait have leaders again: at once",
    [
      [0, 3],
      [3, 3],
    ],
    [1],
  ],
  ["the only one that waits: at once", [[1, 1]], [0]],
  [
    "leaders that come back one after the other cost one new beginning",
    [
      [1, 4],
      [2, 4],
      [4, 4],
      [0, 0],
    ],
    [2],
  ],
  [
    "those that stay away are not waited for",
    [
      [1, 3],
      [1, 3],
      [0, 2],
      [0, 2],
    ],
    [1],
  ],
  [
    "a long row of leaders is waited for twice",
    [
      [1, 9],
      [2, 9],
      [3, 9],
      [1, 6],
      [2, 6],
      [3, 6],
    ],
    [2, 5],
  ],
  [
    "a leader that goes away again counts anew",
    [
      [1, 3],
      [0, 3],
      [1, 3],
      [1, 3],
    ],
    [3],
  ],
] as const)("%s", (_name, checks, expected) => {
  expect(beginsAt(checks)).toEqual(expected);
});

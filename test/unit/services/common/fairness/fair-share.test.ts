import { expect, test } from "vitest";
import { FairShare } from "../../../../../services/common/fairness/fair-share.ts";

/** Every caller takes as many as it may, in turns. */
function greedy(share: FairShare, callers: readonly string[]): number[] {
  for (let isOver = false; !isOver; ) {
    isOver = true;
    for (const caller of callers.filter((each) => share.mayTake(each))) {
      if (!share.mayTake(caller)) continue;
      share.take(caller);
      isOver = false;
    }
  }
  return callers.map((caller) => share.of(caller));
}

test.each([
  [16, 12],
  [22, 16],
  [4, 3],
  [2, 1],
  [1, 1],
])("of %i a caller alone has %i at most", (max, most) => {
  expect(greedy(new FairShare(max), ["a"])).toEqual([most]);
});

test("greedy callers have about as many as each other, and leave some to the next one", () => {
  const share = new FairShare(22);

  expect(greedy(share, ["a", "b", "c"])).toEqual([7, 6, 6]);
  expect(share.mayTake("d")).toBe(true);
});

test("a caller that had many has fewer once others have come", () => {
  const share = new FairShare(22);
  greedy(share, ["a"]);
  for (let i = 0; i < 4; i++) share.take("b");

  share.giveBack("a");

  expect([share.mayTake("a"), share.mayTake("b"), share.mayTake("c")]).toEqual([false, true, true]);
});

test("the last free one is for a caller that has none", () => {
  const share = new FairShare(2);
  share.take("a");

  expect([share.mayTake("a"), share.mayTake("b")]).toEqual([false, true]);
  share.take("b");
  expect(share.mayTake("c")).toBe(false);
});

test("everything that is given back can be taken again, and no caller is remembered", () => {
  const share = new FairShare(100);
  share.take("a", 60);
  expect([share.all, share.of("a"), share.mayTake("a", 16), share.mayTake("a", 15)]).toEqual([60, 60, false, true]);
  share.giveBack("a", 60);

  expect([share.all, share.of("a")]).toEqual([0, 0]);
});

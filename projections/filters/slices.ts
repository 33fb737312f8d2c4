// A test of many values of one message runs in slices, so that other work can run in between. After each slice the
// whole test is run again from the start, so tests that take long keep their progress.

/** Tests in one slice; they take about two milliseconds. */
const SLICE = 10_000;
/** With fewer tests, storing a result takes as long as testing again. */
const WORTH_KEEPING = 16;
const NOT_YET = new Error("there is more to test");

/** Tests left in the present slice. Outside of `inSlices` there is no bound. */
let left = Number.POSITIVE_INFINITY;
let verdicts: Map<object, boolean> | undefined;

/** Runs the test in slices, and yields the number of tests after each. */
export function* inSlices(evaluate: () => boolean): Generator<number, boolean> {
  const kept = new Map<object, boolean>();
  for (;;) {
    let verdict: boolean | undefined;
    left = SLICE;
    verdicts = kept;
    try {
      verdict = evaluate();
    } catch (error) {
      if (error !== NOT_YET) throw error;
    }
    const tests = SLICE - left;
    left = Number.POSITIVE_INFINITY;
    verdicts = undefined;
    if (tests > 0) yield tests;
    if (verdict !== undefined) return verdict;
  }
}

/** Number of tests that this slice may still run. */
export const leftInSlice = (): number => left;

export function spendInSlice(tests: number): void {
  left -= tests;
}

/** Ends the slice. The test continues in the next one. */
export function endSlice(): never {
  throw NOT_YET;
}

/** Tests once, however many slices the whole takes. `key` must be the same in each slice, and used for nothing else. */
export function evaluateOnce(key: object, tests: number, evaluate: () => boolean): boolean {
  if (verdicts === undefined || tests < WORTH_KEEPING) return evaluate();
  const known = verdicts.get(key);
  if (known !== undefined) return known;
  if (left <= 0) endSlice();
  const verdict = evaluate();
  verdicts.set(key, verdict);
  left -= tests;
  return verdict;
}

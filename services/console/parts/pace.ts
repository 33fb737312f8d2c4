/** Browsers limit how often a page writes its address: Safari refuses more than 100 times in 30 seconds. */
export const ADDRESS_MS = 500;

/**
 * Calls `work` soon after a call, and at most once in `everyMs`, however often it is called. Texts that change at each
 * message could not be read.
 */
export function createPace(everyMs: number, work: () => void): { call(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  function run(): void {
    isDue = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isDue) run();
    }, everyMs);
    work();
  }
  return {
    call: () => {
      if (timer === undefined) run();
      else isDue = true;
    },
    stop: () => clearTimeout(timer),
  };
}

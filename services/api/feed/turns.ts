/** Runs works, at most so many at a time, in the order in which they were given. */
export function createTurns(max: number): (work: () => Promise<void>) => Promise<void> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      await work();
    } finally {
      // The place is handed over, not given back, so that nobody can slip in between.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

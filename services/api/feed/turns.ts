/** Lets only so many work at a time, in the order in which they came. */
export interface Turns {
  run(work: () => Promise<void>): Promise<void>;
  /** Whether somebody waits for a turn: who has had one for long gives it up and comes again. */
  readonly othersWait: boolean;
}

export function createTurns(max: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    get othersWait() {
      return waiting.length > 0;
    },
    async run(work) {
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
    },
  };
}

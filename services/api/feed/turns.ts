/** Lets only so many work at a time, in the order in which they came. */
export interface Turns {
  run(work: () => Promise<void>): Promise<void>;
  /** Whether somebody waits for a turn: a holder that has had its share gives the turn up and queues again. */
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
        // The place is handed over, not given back, so that nobody can jump the queue.
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}

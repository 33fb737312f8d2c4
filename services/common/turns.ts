/** Runs only a few tasks at a time, in the order of arrival. */
export interface Turns {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** @returns true when others wait for a turn: a holder that has had its share gives up its turn and queues again. */
  othersWait(): boolean;
}

export function createTurns(max: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    othersWait: () => waiting.length > 0,
    async run(work) {
      if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        return await work();
      } finally {
        // The turn goes straight to the next in the queue, so that no newcomer can jump it.
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}

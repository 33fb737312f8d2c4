// Lets only so many pieces of work run at a time; the others wait in turn.

export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

export function createGate(most: number): Gate {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The next one takes over the place.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

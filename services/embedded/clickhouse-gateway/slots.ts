export interface QuerySlots {
  /** Resolves with the function that gives the slot back. */
  acquire(): Promise<() => void>;
}

/** At most `count` requests have a slot at a time; the others wait in the order of their calls. */
export function createQuerySlots(count: number): QuerySlots {
  let free = count;
  const waiting: (() => void)[] = [];

  const release = () => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };

  return {
    acquire: async () => {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return release;
    },
  };
}

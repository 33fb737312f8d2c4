export interface Slots {
  /** Resolves with the function that gives the slot back. */
  acquire(): Promise<() => void>;
}

/** At most `count` holders at a time; the others wait in order. */
export function createSlots(count: number): Slots {
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

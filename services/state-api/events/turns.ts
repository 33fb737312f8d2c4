// Callers that ask for the same event take turns: within one process they need not race for it.
export function createKeyedTurns() {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take<T>(key: string, work: () => Promise<T>): Promise<T> {
      const before = last.get(key);
      const mine = before === undefined ? work() : before.then(work);
      const ended = mine.catch(() => undefined);
      last.set(key, ended);
      try {
        return await mine;
      } finally {
        if (last.get(key) === ended) last.delete(key);
      }
    },
  };
}

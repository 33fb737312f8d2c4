// A batch gathers the keys that one level of a query asks for, and asks for them together. Not mercurius' loaders:
// those need a Fastify reply, which an operation over a WebSocket does not have.

export interface Batch<Key, Value> {
  load(key: Key): Promise<Value>;
}

/**
 * `answer` gets the keys asked since the last call, in order and with repetitions, and returns one value per key.
 * Its rejection rejects every load of the batch.
 */
export function createBatch<Key, Value>(
  answer: (keys: readonly Key[]) => Promise<readonly Value[]>,
): Batch<Key, Value> {
  let waiting: Waiting<Key, Value>[] = [];

  async function dispatch(): Promise<void> {
    const batch = waiting;
    waiting = [];
    try {
      const values = await answer(batch.map(({ key }) => key));
      if (values.length !== batch.length) throw new Error("a batch was answered with another number of values");
      for (const [i, { resolve }] of batch.entries()) resolve(values[i] as Value);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    load(key) {
      const { promise, resolve, reject } = Promise.withResolvers<Value>();
      waiting.push({ key, resolve, reject });
      // Waits for the promise jobs of this turn, in which the other entries of a list ask as well.
      if (waiting.length === 1) setImmediate(dispatch);
      return promise;
    },
  };
}

interface Waiting<Key, Value> {
  readonly key: Key;
  resolve(value: Value): void;
  reject(error: unknown): void;
}

/** Callers that come while a second call waits share it, so that thousands at the same time cost as much as two. */
export function shareCalls<T>(ask: () => Promise<T>, pauseMs = 0): () => Promise<T> {
  let current: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  let pausedUntil = 0;
  const start = () => {
    pausedUntil = performance.now() + pauseMs;
    current = ask().finally(() => {
      current = undefined;
    });
    return current;
  };
  const afterPause = async () => {
    const leftMs = pausedUntil - performance.now();
    if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs));
    next = undefined;
    return start();
  };
  return () => {
    if (current === undefined && next === undefined && performance.now() >= pausedUntil) return start();
    // The call under way may have looked too early for this caller.
    next ??= (current ?? Promise.resolve()).then(afterPause, afterPause);
    return next;
  };
}

// A batch gathers the keys that one level of a query needs, and queries them together. mercurius' loaders do not fit:
// those need a Fastify reply, which an operation over a WebSocket does not have.

export interface Batch<Key, Value> {
  load(key: Key): Promise<Value>;
}

/**
 * `answer` gets the keys since the last call, in order and with repetitions, and returns one value per key. Its
 * rejection rejects every load of the batch.
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
      // Waits for the promise jobs of this turn, in which the other entries of a list load their keys as well.
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

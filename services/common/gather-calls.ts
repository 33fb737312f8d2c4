/**
 * The calls of one turn of the event loop become one, with their keys: a command costs a process more than what it asks
 * for. `ask` resolves with a value for each key, in their order.
 */
export function gatherCalls<Key, Value>(
  ask: (keys: readonly Key[]) => Promise<readonly Value[]>,
  mostKeys: number,
): (key: Key) => Promise<Value> {
  let gathering: { readonly keys: Key[]; readonly asked: Promise<readonly Value[]> } | undefined;

  function begin() {
    const keys: Key[] = [];
    const { promise, resolve } = Promise.withResolvers<readonly Value[]>();
    const gathered = { keys, asked: promise };
    // An immediate runs when all sockets that were readable in this turn have been read.
    setImmediate(() => {
      if (gathering === gathered) gathering = undefined;
      resolve(ask(keys));
    });
    return gathered;
  }

  return async (key) => {
    if (gathering === undefined || gathering.keys.length >= mostKeys) gathering = begin();
    const { keys, asked } = gathering;
    const place = keys.push(key) - 1;
    return (await asked)[place] as Value;
  };
}

/** Who asks while the second call of a burst is waiting shares it: unknown ids by the thousand cost as much as two. */
export function shareCalls(ask: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = () => {
    current = ask().finally(() => {
      current = undefined;
    });
    return current;
  };
  return () => {
    if (current === undefined) return start();
    // The one under way looked at the log too early for this caller.
    next ??= current
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}

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

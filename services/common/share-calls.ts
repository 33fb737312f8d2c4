/** Callers that arrive during a call share the next one, so that thousands at the same time cost as much as two. */
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
    // The call under way may have read its data before this caller arrived.
    next ??= (current ?? Promise.resolve()).then(afterPause, afterPause);
    return next;
  };
}

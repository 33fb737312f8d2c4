// Finds out whether somebody follows what the API sends to subscribers.

const SUBSCRIBERS = "tracklog_subscribers";
const ANSWER_WITHIN_MS = 2_000;

/**
 * @param opsUrl the API's address for operators, `http://host:port`; without it everybody counts as looking.
 * @returns a function that resolves with false while the API has no subscriber, or does not answer.
 */
export function createWatched(opsUrl: string | undefined): () => Promise<boolean> {
  if (opsUrl === undefined) return async () => true;
  const url = new URL(`/metrics?name[]=${SUBSCRIBERS}`, opsUrl);
  return async () => {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
      return hasSubscribers(await response.text());
    } catch {
      return false;
    }
  };
}

/** @param metrics in the text format of Prometheus. */
export function hasSubscribers(metrics: string): boolean {
  const values = metrics.matchAll(new RegExp(`^${SUBSCRIBERS}(?:\\{[^}]*\\})? (\\S+)`, "gm"));
  return [...values].some(([, value]) => Number(value) > 0);
}

const EVERY_MS = 3_000;

/**
 * Asks again and again, but rests while the page is hidden: nobody sees the answers. A slow answer is waited for.
 * @param ask returns a promise of its answer, unless it waits for the last answer by itself.
 * @returns a function that ends it.
 */
export function pollWhileSeen(ask: () => void | Promise<void>, everyMs = EVERY_MS): () => void {
  let isAsking = false;
  const askIfSeen = async () => {
    if (document.hidden || isAsking) return;
    isAsking = true;
    try {
      await ask();
    } catch {
      // Whoever asks shows the failure; the next question comes by itself.
    } finally {
      isAsking = false;
    }
  };
  const timer = setInterval(askIfSeen, everyMs);
  document.addEventListener("visibilitychange", askIfSeen);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", askIfSeen);
  };
}

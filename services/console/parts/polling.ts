const EVERY_MS = 3_000;

/**
 * Asks again and again, but rests while the page is hidden: nobody sees the answers.
 * @returns a function that ends it.
 */
export function pollWhileSeen(ask: () => void, everyMs = EVERY_MS): () => void {
  const askIfSeen = () => {
    if (!document.hidden) ask();
  };
  const timer = setInterval(askIfSeen, everyMs);
  document.addEventListener("visibilitychange", askIfSeen);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", askIfSeen);
  };
}

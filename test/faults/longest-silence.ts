import type { Load } from "../support/scenes/load.ts";

const POLL_MS = 20;

/** Watches a load until stopped; the stop gives the longest time without an accepted mutation, in ms. */
export function longestSilence(load: Load) {
  let { accepted } = load.counts();
  let since = performance.now();
  let longest = 0;
  const check = () => {
    const now = performance.now();
    longest = Math.max(longest, now - since);
    if (load.counts().accepted === accepted) return;
    ({ accepted } = load.counts());
    since = now;
  };
  const timer = setInterval(check, POLL_MS);
  return {
    stop(): number {
      clearInterval(timer);
      check();
      return longest;
    },
  };
}

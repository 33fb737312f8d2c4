// Preloaded into a service: on SIGUSR2 it says how long its event loop was blocked at most since the last time.
let longestMs = 0;
let lookedAt = performance.now();

setInterval(() => {
  const now = performance.now();
  longestMs = Math.max(longestMs, now - lookedAt);
  lookedAt = now;
}, 1).unref();

process.on("SIGUSR2", () => {
  process.stdout.write(`${JSON.stringify({ longestBlockMs: longestMs })}\n`);
  longestMs = 0;
});

// Preloaded into a service: on SIGUSR2 it reports the longest block of its event loop since the last report.
let longestMs = 0;
let lookedAt = performance.now();

setInterval(() => {
  const now = performance.now();
  longestMs = Math.max(longestMs, now - lookedAt);
  lookedAt = now;
}, 1).unref();

process.on("SIGUSR2", () => {
  process.stdout.write(`${JSON.stringify({ watched: { longestBlockMs: longestMs } })}\n`);
  longestMs = 0;
});

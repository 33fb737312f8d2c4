// Preloaded into a service. On SIGUSR2 it reports the longest turn of its event loop since the last report, in
// processor time of the thread, to which other processes add nothing.
import { busyMs } from "./busy-time.ts";

let longestMs = 0;
let before = busyMs();

setInterval(() => {
  const now = busyMs();
  longestMs = Math.max(longestMs, now - before);
  before = now;
}, 1).unref();

process.on("SIGUSR2", () => {
  process.stdout.write(`${JSON.stringify({ watched: { longestBlockMs: longestMs } })}\n`);
  longestMs = 0;
});

// Preloaded into a service: on SIGUSR2 it reports what happened since the last report, as the process itself saw it.
import { subscribe } from "node:diagnostics_channel";
import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";
import { quantile } from "../measure.ts";

export interface WatchedRequests {
  /** From the head of a request until its answer is handed to the system, ms. */
  readonly p50: number;
  readonly p99: number;
  /** Delay of the event loop, ms. */
  readonly loopP99: number;
  /** Pauses of the garbage collector, ms: all together, and the longest. */
  readonly gcMs: number;
  readonly longestGcMs: number;
  /** Processor time of the whole process, in microseconds. */
  readonly processorUs: number;
}

const NS_PER_MS = 1e6;

/** On the request itself: a map of requests would be work for the garbage collector that is measured. */
const BEGUN = Symbol("begun");
let times: number[] = [];
let pauses: number[] = [];
let processor = process.cpuUsage();
const loop = monitorEventLoopDelay({ resolution: 1 });
loop.enable();

const requestOf = (message: unknown) => (message as { readonly request: { [BEGUN]?: number } }).request;
subscribe("http.server.request.start", (message) => {
  requestOf(message)[BEGUN] = performance.now();
});
subscribe("http.server.response.finish", (message) => {
  times.push(performance.now() - (requestOf(message)[BEGUN] ?? Number.NaN));
});
new PerformanceObserver((list) => pauses.push(...list.getEntries().map(({ duration }) => duration))).observe({
  entryTypes: ["gc"],
});

process.on("SIGUSR2", () => {
  const { user, system } = process.cpuUsage(processor);
  const watched: WatchedRequests = {
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    loopP99: loop.percentile(99) / NS_PER_MS,
    gcMs: pauses.reduce((sum, ms) => sum + ms, 0),
    longestGcMs: Math.max(0, ...pauses),
    processorUs: user + system,
  };
  process.stdout.write(`${JSON.stringify({ watched })}\n`);
  [times, pauses] = [[], []];
  loop.reset();
  processor = process.cpuUsage();
});

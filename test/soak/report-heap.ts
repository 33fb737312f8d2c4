// Loaded into each service of a soak: at SIGUSR2 the process collects garbage and appends its figures to SOAK_FIGURES.
import { appendFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { garbageCollector } from "../support/running/garbage-collector.ts";

export interface HeapFigures {
  readonly pid: number;
  readonly heapMib: number;
  /** Buffers outside of the heap. */
  readonly externalMib: number;
  /** Sockets, timers, servers and the like that Node keeps open. */
  readonly handles: number;
}

const MIB = 1024 * 1024;

const file = process.env["SOAK_FIGURES"];
if (file !== undefined && isMainThread) {
  const collect = garbageCollector();
  process.on("SIGUSR2", () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    const figures: HeapFigures = {
      pid: process.pid,
      heapMib: heapUsed / MIB,
      externalMib: external / MIB,
      handles: process.getActiveResourcesInfo().length,
    };
    appendFileSync(file, `${JSON.stringify(figures)}\n`);
  });
}

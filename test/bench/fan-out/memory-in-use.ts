// The memory of this process after its garbage was collected.
import { garbageCollector } from "../../support/running/garbage-collector.ts";

export interface MemoryInUse {
  readonly residentBytes: number;
  /** Objects of JavaScript, with the buffers outside of the heap. */
  readonly objectBytes: number;
}

const collect = garbageCollector();

/** Collects twice: the finalizers of the first collection free more. */
export function memoryInUse(): MemoryInUse {
  collect();
  collect();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { residentBytes: rss, objectBytes: heapUsed + external };
}

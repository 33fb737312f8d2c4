// The memory of this process after its garbage was collected.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export interface MemoryInUse {
  readonly residentBytes: number;
  /** Objects of JavaScript, with the buffers outside of the heap. */
  readonly objectBytes: number;
}

setFlagsFromString("--expose-gc");
const collect: NodeJS.GCFunction = runInNewContext("gc");

/** Collects twice: the finalizers of the first collection free more. */
export function memoryInUse(): MemoryInUse {
  collect();
  collect();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { residentBytes: rss, objectBytes: heapUsed + external };
}

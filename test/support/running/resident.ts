import { readFile } from "node:fs/promises";

const KIB_PER_MIB = 1_024;

/** The present memory of a process, in MiB. Linux only. */
export async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / KIB_PER_MIB;
}

const SAMPLE_MS = 200;

/** Samples a process until stopped; the stop resolves with its peak memory, in MiB. */
export function watchResident(pid: number) {
  let most = 0;
  const timer = setInterval(async () => {
    most = Math.max(most, await residentMib(pid).catch(() => 0));
  }, SAMPLE_MS);
  return {
    async stop(): Promise<number> {
      clearInterval(timer);
      return Math.max(most, await residentMib(pid));
    },
  };
}

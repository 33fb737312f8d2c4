import { readFile } from "node:fs/promises";

const KIB_PER_MIB = 1_024;

/** What a process holds in memory now, in MiB. Linux only. */
export async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / KIB_PER_MIB;
}

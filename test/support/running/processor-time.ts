import { readFile } from "node:fs/promises";

/** The unit of /proc/PID/stat. */
const TICKS_PER_SECOND = 100;
/** Fields after the name of the process: user and system time of the process, and of its children that have ended. */
const TICKS = [11, 12, 13, 14];

/** Seconds of processor time that a process and its ended children have taken so far. Linux only. */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name may have blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return TICKS.reduce((sum, at) => sum + Number(fields[at] ?? 0), 0) / TICKS_PER_SECOND;
}

// The memory of each process of an installation, and its processor time over a while. Linux only.
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

export interface Usage {
  readonly name: string;
  /** Milliseconds of processor time in a second. */
  readonly msPerSecond: number;
  readonly wakesPerSecond: number;
  readonly residentMib: number;
  /** Without pages that other processes use as well, such as the code of Node. */
  readonly ownMib: number;
}

interface Found {
  readonly pid: number;
  readonly name: string;
}

const KIB_PER_MIB = 1_024;
const NS_PER_MS = 1e6;

/** Names of processes, by their command lines. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/kafka\.Kafka/, "kafka"],
  [/apicurio/, "registry"],
  [/redis-server|valkey-server/, "redis"],
  [/clickhouse-gateway/, "clickhouse"],
  [/embedded\/guard/, "guard"],
  [/embedded\/main/, "launcher"],
  [/services\/([a-z-]+)\/main/, ""],
];

/** Resolves with the processes below `root`, itself included. */
export async function processesOf(root: number): Promise<readonly Found[]> {
  const all = (await Promise.all((await readdir("/proc")).filter(isNumber).map(describe))).flat();
  const pids = new Set([root]);
  for (let before = 0; before !== pids.size; ) {
    before = pids.size;
    for (const { pid, parent } of all) if (pids.has(parent)) pids.add(pid);
  }
  return all.filter(({ pid, name }) => pids.has(pid) && name !== "");
}

/** Measures the processes over `seconds`. */
export async function usageOf(processes: readonly Found[], seconds: number): Promise<readonly Usage[]> {
  const before = await Promise.all(processes.map(({ pid }) => spentBy(pid)));
  const startedAt = performance.now();
  await delay(seconds * 1_000);
  const took = (performance.now() - startedAt) / 1_000;
  return Promise.all(
    processes.map(async ({ pid, name }, i) => {
      const spent = await spentBy(pid);
      const memory = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
      const mib = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(memory)?.[1]) / KIB_PER_MIB;
      return {
        name,
        msPerSecond: (spent.ms - (before[i]?.ms ?? 0)) / took,
        wakesPerSecond: (spent.wakes - (before[i]?.wakes ?? 0)) / took,
        residentMib: mib("Rss"),
        ownMib: mib("Private_Clean") + mib("Private_Dirty"),
      };
    }),
  );
}

/** The scheduler counts each thread in nanoseconds; /proc/PID/stat has hundredths of a second. */
async function spentBy(pid: number): Promise<{ readonly ms: number; readonly wakes: number }> {
  const threads = await readdir(`/proc/${pid}/task`);
  const spent = await Promise.all(
    threads.map(async (thread) => {
      const of = (file: string) => readFile(`/proc/${pid}/task/${thread}/${file}`, "utf8").catch(() => "");
      const [schedule, status] = await Promise.all([of("schedstat"), of("status")]);
      const wakes = Number(/\nvoluntary_ctxt_switches:\s+(\d+)/.exec(status)?.[1] ?? 0);
      return { ms: Number(schedule.split(" ")[0]) / NS_PER_MS, wakes };
    }),
  );
  return {
    ms: spent.reduce((sum, { ms }) => sum + ms, 0),
    wakes: spent.reduce((sum, { wakes }) => sum + wakes, 0),
  };
}

/** Resolves with nothing when the process has ended. */
async function describe(pid: string) {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    const command = (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ");
    const [pattern, name = ""] = NAMES.find(([each]) => each.test(command)) ?? [];
    return [{ pid: Number(pid), parent, name: name || (pattern?.exec(command)?.[1] ?? "") }];
  } catch {
    return [];
  }
}

const isNumber = (text: string): boolean => /^\d+$/.test(text);

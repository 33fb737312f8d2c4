// Store processes are recorded in the data directory, so that the next start can end those of a launcher and a guard
// that were killed together. A process is identified by its id and its start time, because ids are reused.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { untilSo } from "../common/loop.ts";
import { killGroup } from "./tools/child.ts";
import { runTool } from "./tools/tool.ts";

const GONE_WITHIN_MS = 5_000;
const POLL_MS = 20;

type Env = Readonly<Record<string, string>>;

/** Records the process of a part; null means that it has none. */
export async function noteProcess(dir: string, part: string, pid: number | null, env: Env): Promise<void> {
  const file = join(dir, part);
  if (pid === null) return rm(file, { force: true });
  const started = await startTime(pid, env);
  if (started === "") return;
  await mkdir(dir, { recursive: true });
  await writeFile(file, `${pid}\n${started}\n`);
}

/** Ends the recorded processes that still run. Only the holder of the directory's lock may call it. */
export async function endLeftovers(dir: string, env: Env): Promise<void> {
  const parts = await readdir(dir).catch(() => []);
  await Promise.all(
    parts.map(async (part) => {
      const [id = "", started = ""] = (await readFile(join(dir, part), "utf8")).split("\n");
      const pid = Number(id);
      if (started !== "" && (await startTime(pid, env)) === started) await endGroup(pid);
      await rm(join(dir, part), { force: true });
    }),
  );
}

/** Returns an empty text if there is no such process, or no ps on this machine. */
async function startTime(pid: number, env: Env): Promise<string> {
  const { output } = await runTool({
    file: "ps",
    args: ["-o", "lstart=", "-p", String(pid)],
    env: { ...env, LC_ALL: "C", TZ: "UTC" },
    signal: new AbortController().signal,
  });
  return output.trim();
}

async function endGroup(pid: number): Promise<void> {
  killGroup(pid);
  await untilSo(() => !isAlive(pid), { pauseMs: POLL_MS, withinMs: GONE_WITHIN_MS });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

// Faults of processes.
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { PartName } from "../../services/embedded/protocol.ts";
import type { Stores } from "../../services/embedded/stores.ts";
import { until } from "../support/running/processes.ts";

/** Kills the process, which is away for so long. */
export const away = (stores: Stores, part: PartName, ms: number): Promise<void> =>
  awayWhile(stores, part, () => delay(ms));

/** Kills the process, which is away until the work is done. */
export async function awayWhile(stores: Stores, part: PartName, work: () => Promise<void>): Promise<void> {
  await stores.halt(part);
  await work();
  await stores.resume(part);
}

/** Kills the process; its supervisor starts it again at once. Resolves when there is a new process. */
export async function killStore(stores: Stores, part: PartName): Promise<void> {
  const pid = stores.pids()[part];
  if (pid === undefined) throw new Error(`${part} does not run`);
  process.kill(pid, "SIGKILL");
  await until(() => ![pid, undefined].includes(stores.pids()[part]));
}

/** Stops the process for so long: connections remain open, nothing answers. */
export const freeze = (stores: Stores, part: PartName, ms: number): Promise<void> =>
  freezeWhile(stores, part, () => delay(ms));

/** Stops the process until the work is done. */
export async function freezeWhile(stores: Stores, part: PartName, work: () => Promise<unknown>): Promise<void> {
  const pid = stores.pids()[part];
  if (pid === undefined) throw new Error(`${part} does not run`);
  await hangWhile(pid, work);
}

/** The same for any process. */
export const hang = (pid: number, ms: number): Promise<void> => hangWhile(pid, () => delay(ms));

/** The work begins when the process has stopped: for a moment after the signal it goes on and could answer. */
export async function hangWhile(pid: number, work: () => Promise<unknown>): Promise<void> {
  process.kill(pid, "SIGSTOP");
  try {
    await until(() => isStill(pid));
    await work();
  } finally {
    process.kill(pid, "SIGCONT");
  }
}

/** Stopped, or ended. Linux gives the number, the name in brackets and the state. */
const isStill = (pid: number): Promise<boolean> =>
  readFile(`/proc/${pid}/stat`, "utf8").then(
    (stat) => "TZX".includes(stat.charAt(stat.lastIndexOf(")") + 2)),
    () => true,
  );

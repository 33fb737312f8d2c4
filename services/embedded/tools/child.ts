import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { open } from "node:fs/promises";

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Message to send over an IPC channel right after the start; without it the child has no channel. */
  readonly message?: object;
}

/**
 * Starts a child whose output goes to the log file (emptied first). It leads a process group of its own, so that
 * Ctrl-C in a terminal does not reach it and its own children can be signalled with it.
 */
export function startChild(command: Command, logFile: string): ChildProcess {
  const log = openSync(logFile, "w");
  try {
    const child = spawn(command.file, command.args, {
      env: command.env,
      detached: true,
      stdio: ["ignore", log, log, ...(command.message === undefined ? [] : ["ipc" as const])],
    });
    // A child that cannot be started emits "error" and "close", but never "exit".
    child.on("error", () => {});
    if (command.message !== undefined) child.send(command.message, () => {});
    return child;
  } finally {
    closeSync(log);
  }
}

export const hasExited = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

/** Sends SIGTERM, and after `graceMs` SIGKILL to the child's whole group. Resolves when the child is gone. */
export async function stopChild(child: ChildProcess, graceMs: number): Promise<void> {
  if (hasExited(child)) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => killGroup(child.pid), graceMs);
  await exited;
  clearTimeout(timer);
}

/** Sends SIGKILL to a process group; a group that is gone already is no error. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group is gone already.
  }
}

const TAIL_BYTES = 4_000;

/** Returns the last lines of a log file, for the message of an error. */
export async function tailOf(logFile: string): Promise<string> {
  const file = await open(logFile, "r");
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(TAIL_BYTES),
      position: Math.max(0, size - TAIL_BYTES),
    });
    return buffer.toString("utf8", 0, bytesRead).trim();
  } finally {
    await file.close();
  }
}

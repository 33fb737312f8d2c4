// The launcher's end of the channel to its guard.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type FromGuard, fromGuard, type GuardOptions, type PartName, type ToGuard } from "./protocol.ts";
import { hasExited, killGroup } from "./tools/child.ts";
import { EmbeddedError } from "./tools/errors.ts";

export interface GuardLink {
  /** Resolves with the variables of the stores when all stores answer. */
  start(options: GuardOptions): Promise<Record<string, string>>;
  stop(): Promise<void>;
  halt(part: PartName): Promise<void>;
  resume(part: PartName): Promise<void>;
  pids(): Partial<Record<PartName, number>>;
  readonly failed: Promise<never>;
  readonly guardPid: number;
}

const STOP_DEADLINE_MS = 10_000;

export function openGuard(dataDir: string, onProgress: (text: string) => void): GuardLink {
  const guard = forkGuard(join(dataDir, "logs"));
  const ready = Promise.withResolvers<Record<string, string>>();
  const failed = Promise.withResolvers<never>();
  for (const { promise } of [ready, failed]) promise.catch(() => {});
  const pids = new Map<PartName, number>();
  const waiting = new Map<number, PromiseWithResolvers<void>>();
  let stopping = false;
  let lastId = 0;

  const take = (message: FromGuard) => {
    switch (message.type) {
      case "progress":
        return onProgress(message.text);
      case "ready":
        return ready.resolve(message.env);
      case "failed":
        return ready.reject(message.expected ? new EmbeddedError(message.message) : new Error(message.message));
      case "pid":
        return message.pid === null ? pids.delete(message.part) : pids.set(message.part, message.pid);
      case "done":
        return settle(waiting.get(message.id), message.error);
    }
  };

  const ask = async (type: "halt" | "resume", part: PartName) => {
    const answer = Promise.withResolvers<void>();
    const id = ++lastId;
    waiting.set(id, answer);
    send(guard, { type, part, id });
    await answer.promise.finally(() => waiting.delete(id));
  };

  guard.on("message", (raw) => void take(fromGuard.parse(raw)));
  guard.once("exit", () => {
    const error = new EmbeddedError(`The guard of the stores has ended: see ${join(dataDir, "logs", "guard.log")}.`);
    ready.reject(error);
    for (const answer of waiting.values()) answer.reject(error);
    // A guard that was killed leaves its stores running, and no other process would end them.
    for (const pid of pids.values()) killGroup(pid);
    if (!stopping) failed.reject(error);
  });

  return {
    start: (options) => {
      send(guard, { type: "start", options });
      return ready.promise;
    },
    stop: async () => {
      stopping = true;
      await stopGuard(guard);
    },
    halt: (part) => ask("halt", part),
    resume: (part) => ask("resume", part),
    pids: () => Object.fromEntries(pids),
    failed: failed.promise,
    guardPid: guard.pid ?? 0,
  };
}

function forkGuard(logDir: string): ChildProcess {
  mkdirSync(logDir, { recursive: true });
  const log = openSync(join(logDir, "guard.log"), "a");
  try {
    // Detached: neither Ctrl-C in the launcher's terminal nor the closing of that terminal may reach it.
    return fork(fileURLToPath(new URL("./guard.ts", import.meta.url)), {
      detached: true,
      execArgv: [],
      stdio: ["ignore", log, log, "ipc"],
    });
  } finally {
    closeSync(log);
  }
}

const send = (guard: ChildProcess, message: ToGuard): void => {
  // If the channel is closed, the "exit" handler rejects every wait.
  if (guard.connected) guard.send(message, () => {});
};

function settle(answer: PromiseWithResolvers<void> | undefined, error: string | null): void {
  if (error === null) answer?.resolve();
  else answer?.reject(new Error(error));
}

async function stopGuard(guard: ChildProcess): Promise<void> {
  if (hasExited(guard)) return;
  const exited = once(guard, "exit");
  guard.kill("SIGTERM");
  const timer = setTimeout(() => guard.kill("SIGKILL"), STOP_DEADLINE_MS);
  await exited;
  clearTimeout(timer);
}

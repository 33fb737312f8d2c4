// One child process: started, probed, restarted when it dies by itself, stopped on request.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { growing, pause, untilSo } from "../../common/loop.ts";
import { type Command, hasExited, startChild, stopChild, tailOf } from "./child.ts";
import { EmbeddedError } from "./errors.ts";

export interface ProcessSpec {
  readonly title: string;
  readonly command: Command;
  readonly logFile: string;
  /** Resolves when the process answers; rejects while it does not. */
  readonly probe: () => Promise<void>;
  readonly stopGraceMs: number;
}

export interface Supervised {
  /** Resolves when the process answers. Throws EmbeddedError if it ends or is silent for too long. */
  start(): Promise<void>;
  /** Resolves when the process is gone; it is not restarted. */
  stop(): Promise<void>;
  /** Sends SIGKILL; the process stays stopped until start() is called. */
  halt(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const PROBE_INTERVAL_MS = 25;
/** A process that lived for so long had no fault from the start. */
const STEADY_MS = 10_000;
const backoffOf = growing(100, 5_000);

export function supervise(spec: ProcessSpec, onPid: (pid: number | null) => void): Supervised {
  let child: ChildProcess | undefined;
  let wanted = false;
  /** Deaths in a row, each soon after the start. */
  let deaths = 0;
  let startedAt = 0;

  const launch = (): ChildProcess => {
    const started = startChild(spec.command, spec.logFile);
    child = started;
    startedAt = performance.now();
    onPid(started.pid ?? null);
    started.once("exit", () => {
      onPid(null);
      if (wanted && child === started) void relaunch(started);
    });
    return started;
  };

  const relaunch = async (dead: ChildProcess) => {
    if (performance.now() - startedAt > STEADY_MS) deaths = 0;
    await pause(backoffOf(deaths));
    deaths += 1;
    // Meanwhile the process may have been stopped, or halted and started by hand.
    if (!wanted || child !== dead) return;
    const again = launch();
    // A process that ended is restarted by its exit handler; one that hangs must first be ended.
    await untilReady(spec, again).catch(() => stopChild(again, 0));
  };

  const end = async (graceMs: number) => {
    wanted = false;
    if (child !== undefined) await stopChild(child, graceMs);
  };

  return {
    start: async () => {
      await untilReady(spec, launch());
      wanted = true;
      // The process may have died between its first answer and now.
      if (child !== undefined && hasExited(child)) void relaunch(child);
    },
    stop: () => end(spec.stopGraceMs),
    halt: async () => {
      wanted = false;
      if (child === undefined || hasExited(child)) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}

async function untilReady(spec: ProcessSpec, child: ChildProcess): Promise<void> {
  const answers = async () => {
    if (hasExited(child)) throw new EmbeddedError(await failure(spec, "ended at its start"));
    return spec.probe().then(
      () => true,
      () => false,
    );
  };
  if (await untilSo(answers, { pauseMs: PROBE_INTERVAL_MS, withinMs: START_TIMEOUT_MS })) return;
  throw new EmbeddedError(await failure(spec, `gave no answer within ${START_TIMEOUT_MS / 1_000} s`));
}

const failure = async (spec: ProcessSpec, what: string): Promise<string> =>
  `${spec.title} ${what}; see ${spec.logFile}, which ends with:\n${await tailOf(spec.logFile)}`;

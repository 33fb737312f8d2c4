// tracklog's services as the processes they are in production: started, killed and started again by tests.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { freePort } from "../../../services/embedded/tools/free-port.ts";

/** Every system has these: a detection needs them on its way. */
export type ServiceName = "api" | "projector" | "state-machine";
/** Tests start the others where they need them. */
export type ProcessName = ServiceName | "state-api" | "webhooks" | "replay";

export interface ServiceProcess {
  readonly name: ProcessName;
  readonly pid: number;
  /** Answers probes and /metrics. */
  readonly opsPort: number;
  /** Its whole log output so far. */
  output(): string;
  /** SIGKILL: no last messages, no clean-up. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  running(): boolean;
}

const PROBE_TIMEOUT_MS = 2_000;

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Every process of ours needs these. Node keeps compiled modules in the cache: a process starts in half the time. */
export const processEnv = { PATH: process.env["PATH"], NODE_COMPILE_CACHE: `${root}.tracklog/cache/compiled` };

/**
 * Resolves when the service answers that it is ready; rejects with its output when it ends before. `dir` has the
 * version of tracklog to start, and ends with a slash.
 */
export async function startService(
  name: ProcessName,
  env: Readonly<Record<string, string>>,
  dir = root,
): Promise<ServiceProcess> {
  const service = await spawnService(name, env, dir);
  await service.ready;
  return service;
}

export interface StartingService extends ServiceProcess {
  /** Rejects with its output when it ends before. */
  readonly ready: Promise<void>;
  /** The status with which it answers a path of its ops server; rejects while it does not listen. */
  probe(path: "/livez" | "/readyz"): Promise<number>;
}

/** Does not wait for the service to do anything. */
export async function spawnService(
  name: ProcessName,
  env: Readonly<Record<string, string>>,
  dir = root,
): Promise<StartingService> {
  const opsPort = await freePort();
  const child = fork(`${dir}services/${name}/main.ts`, {
    cwd: dir,
    env: { ...processEnv, LOG_LEVEL: "info", ...env, OPS_PORT: String(opsPort) },
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const output = collect(child);
  const ended = once(child, "exit");
  const running = () => child.exitCode === null && child.signalCode === null;
  const probe = async (path: string): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${opsPort}${path}`, {
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const ready = Promise.race([
    until(async () => !running() || (await probe("/readyz")) === 200).then(() => undefined),
    ended.then(([code]) => {
      throw new Error(`${name} ended with code ${code}:\n${output()}`);
    }),
  ]);
  ready.catch(() => undefined);
  const end = async (signal: NodeJS.Signals) => {
    if (running()) {
      child.kill(signal);
      await ended;
    }
    return child.exitCode;
  };
  return {
    name,
    pid: child.pid ?? 0,
    opsPort,
    ready,
    probe,
    output,
    kill: async () => void (await end("SIGKILL")),
    stop: () => end("SIGTERM"),
    running,
  };
}

function collect(child: ChildProcess): () => string {
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => parts.push(String(chunk)));
  return () => parts.join("");
}

/** A look that is work for the stores leaves them time for the other tests: this many times as long as it took. */
const REST = 2;
const MAX_REST_MS = 1_000;

/** Waits for a fact. Rejects after the bound, with the result of the last check. */
export async function until<T>(
  check: () => T | Promise<T>,
  { timeoutMs = 120_000, pauseMs = 25 }: { timeoutMs?: number; pauseMs?: number } = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    let last: unknown;
    const begun = performance.now();
    try {
      const found = await check();
      if (found) return found;
      last = found;
    } catch (error) {
      last = error;
    }
    if (performance.now() > deadline) {
      throw new Error(
        `not so within ${timeoutMs} ms; last: ${last instanceof Error ? last.message : JSON.stringify(last)}`,
      );
    }
    const restMs = Math.min(REST * (performance.now() - begun), MAX_REST_MS);
    await new Promise((resolve) => setTimeout(resolve, Math.max(pauseMs, restMs)));
  }
}

/** Resolves with the metrics of a service, as text. */
export async function metricsOf({ opsPort }: Pick<ServiceProcess, "opsPort">): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${opsPort}/metrics`);
  return answer.text();
}

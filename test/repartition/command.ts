// The command as a process: killed and begun again, and asked for what it said.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { processEnv, until } from "../support/running/processes.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Command {
  output(): string;
  /** Resolves with the first line that begins so; rejects when the process ends before. */
  said(beginning: string): Promise<string>;
  kill(): Promise<void>;
  /** SIGTERM. */
  stop(): Promise<number | null>;
  readonly ended: Promise<number | null>;
}

export function runRepartition(args: readonly string[], env: Readonly<Record<string, string>>): Command {
  const child = spawn(process.execPath, ["services/cli/repartition/main.ts", ...args], {
    cwd: root,
    env: { ...processEnv, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => parts.push(String(chunk)));
  const output = () => parts.join("");
  const ended = once(child, "exit").then(([code]) => code as number | null);
  return {
    output,
    ended,
    kill: () => end(child, "SIGKILL", ended).then(() => undefined),
    stop: () => end(child, "SIGTERM", ended),
    async said(beginning) {
      const find = () =>
        output()
          .split("\n")
          .find((line) => line.startsWith(beginning));
      const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
      await until(() => find() !== undefined || hasEnded(), { timeoutMs: 300_000 });
      const line = find();
      if (line === undefined) throw new Error(`repartition ended with code ${child.exitCode}:\n${output()}`);
      return line;
    },
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals, ended: Promise<number | null>) {
  child.kill(signal);
  return await ended;
}

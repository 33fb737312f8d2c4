import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { killGroup } from "./child.ts";

export interface ToolRun {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Working directory; by default that of this process. */
  readonly cwd?: string;
  /** Aborting kills the tool and all its children. */
  readonly signal: AbortSignal;
  readonly onLine?: (line: string) => void;
}

export interface ToolResult {
  /** Null when the tool could not be started at all, or was killed. */
  readonly exitCode: number | null;
  /** False when there is no such program on this machine. */
  readonly found: boolean;
  readonly output: string;
}

const MAX_LINES = 200;

/** Runs a command to its end; never rejects. The output has its last lines, of stdout and stderr together. */
export async function runTool(run: ToolRun): Promise<ToolResult> {
  if (run.signal.aborted) return { exitCode: null, found: true, output: "" };
  const child = spawn(run.file, run.args, {
    env: run.env,
    ...(run.cwd === undefined ? {} : { cwd: run.cwd }),
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      if (lines.length > MAX_LINES) lines.shift();
      run.onLine?.(line);
    });
  }
  const kill = () => killGroup(child.pid);
  run.signal.addEventListener("abort", kill);
  const { promise, resolve } = Promise.withResolvers<{ exitCode: number | null; found: boolean }>();
  child.once("error", () => resolve({ exitCode: null, found: false }));
  child.once("close", (exitCode) => resolve({ exitCode, found: true }));
  const ended = await promise;
  run.signal.removeEventListener("abort", kill);
  return { ...ended, output: lines.join("\n") };
}

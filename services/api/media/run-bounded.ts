import { spawn } from "node:child_process";

interface BoundedRun {
  readonly file: string;
  readonly args: readonly string[];
  readonly maxBytes: number;
  /** The program is killed when it aborts. */
  readonly signal: AbortSignal;
}

interface Ended {
  /** The whole output. Undefined unless the program ended by itself, successfully, with at most `maxBytes`. */
  readonly output: Buffer | undefined;
  /** False when there is no such program on the PATH. */
  readonly found: boolean;
  readonly code: number | null;
  /** Beginning of the program's error output. */
  readonly stderr: string;
}

const MAX_STDERR_CHARACTERS = 2_000;

/** Runs a program of the PATH without a shell and without input; never rejects. */
export async function runBounded({ file, args, maxBytes, signal }: BoundedRun): Promise<Ended> {
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"] });
  const kill = () => child.kill("SIGKILL");
  signal.addEventListener("abort", kill);
  if (signal.aborted) kill();
  const chunks: Buffer[] = [];
  let bytes = 0;
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) kill();
    else chunks.push(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(0, MAX_STDERR_CHARACTERS);
  });
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once("error", () => resolve(null));
  child.once("close", resolve);
  const code = await promise;
  signal.removeEventListener("abort", kill);
  const output = code === 0 && bytes <= maxBytes ? Buffer.concat(chunks) : undefined;
  return { output, found: child.pid !== undefined, code, stderr };
}

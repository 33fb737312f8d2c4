// Both ends of a load generator. It runs as a separate process, so that nothing else delays it; communicates over IPC.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Runs the load generator in this file. Rejects when its process ends without a result. */
export async function runLoad<Result>(file: URL, load: object): Promise<Result> {
  // The services have this flag, too. Where all processes share few cores, the generator's own collections would
  // count as the server's slowness.
  const child = fork(fileURLToPath(file), { execArgv: ["--no-parallel-scavenge"], serialization: "advanced" });
  child.send(load);
  // Not its exit, which may come before the result has been read.
  const ended = once(child, "disconnect").then(() => {
    throw new Error(`${file.pathname} ended without a result`);
  });
  const [result] = (await Promise.race([once(child, "message"), ended])) as [Result];
  return result;
}

/** The load generator's side: it does one run, and answers with the result before it ends. */
export function onLoad<Load, Result>(run: (load: Load) => Promise<Result>): void {
  process.on("message", async (load: Load) => {
    const result = await run(load);
    process.send?.(result, () => process.exit(0));
  });
}

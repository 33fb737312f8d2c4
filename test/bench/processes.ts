import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { HttpLoad, HttpLoadResult } from "./http-load.ts";

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Resolves with answers per second. Rejects when an answer was an error. */
export async function httpLoad(load: HttpLoad): Promise<number> {
  const child = fork(pathOf("./http-load.ts"), { execArgv: [], serialization: "advanced" });
  child.send(load);
  const [result] = (await once(child, "message")) as [HttpLoadResult];
  if (result.failure !== undefined) throw new Error(`the load met an error: ${result.failure}`);
  return result.answers / result.seconds;
}

/** A process of the benchmark, which sends one message when it is ready. */
export async function startHelper<Ready>(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<[ChildProcess, Ready]> {
  const child = fork(pathOf(file), args, { env: { ...process.env, ...env }, execArgv: [], serialization: "advanced" });
  const [ready] = (await once(child, "message")) as [Ready];
  return [child, ready];
}

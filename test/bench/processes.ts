import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type ServiceProcess, until } from "../support/processes.ts";
import type { HttpLoad, HttpLoadResult } from "./http-load.ts";
import type { AskLoad } from "./live/ask-load.ts";

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Resolves with answers per second. Rejects when an answer was an error. */
export async function httpLoad(load: HttpLoad): Promise<number> {
  const result = await runLoad<HttpLoadResult>("./http-load.ts", load);
  return result.answers / result.seconds;
}

/** Runs a load generator, which answers its one message with the result, as a process. */
export async function runLoad<Result extends { readonly failure: string | undefined }>(
  file: string,
  load: HttpLoad | AskLoad,
): Promise<Result> {
  const child = fork(pathOf(file), { execArgv: [], serialization: "advanced" });
  child.send(load);
  const [result] = (await once(child, "message")) as [Result];
  if (result.failure !== undefined) throw new Error(`the load met an error: ${result.failure}`);
  return result;
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

/** Variables of a service into which a watcher is preloaded: it reports on SIGUSR2, with a line of JSON. */
export const watchedBy = (file: string) => ({ NODE_OPTIONS: `--import=${pathOf(file)}` });

/** What the watcher saw since the call before. */
export async function reportOf<Report>(service: ServiceProcess): Promise<Report> {
  const reports = () => [...service.output().matchAll(/^\{"watched":(.*)\}$/gm)].map(([, report]) => report);
  const before = reports().length;
  process.kill(service.pid, "SIGUSR2");
  await until(() => reports().length > before);
  return JSON.parse(reports().at(-1) ?? "");
}

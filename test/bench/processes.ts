import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { runLoad } from "../support/running/load-process.ts";
import { type ServiceProcess, until } from "../support/running/processes.ts";
import type { HttpLoad, HttpLoadResult } from "./http-load.ts";
import type { AskLoad, AskResult } from "./live/ask-load.ts";

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Resolves with answers per second. Rejects when an answer was an error. */
export async function httpLoad(load: HttpLoad): Promise<number> {
  const result = faultless(await runLoad<HttpLoadResult>(new URL("./http-load.ts", import.meta.url), load));
  return result.answers / result.seconds;
}

/** Rejects when an answer was an error. */
export const askLoad = async (load: AskLoad): Promise<AskResult> =>
  faultless(await runLoad<AskResult>(new URL("./live/ask-load.ts", import.meta.url), load));

function faultless<Result extends { readonly failure: string | undefined }>(result: Result): Result {
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

/** Resolves with the next message of a process of the benchmark, which answers one question at a time. */
export async function askHelper<Answer>(child: ChildProcess, question: object | string): Promise<Answer> {
  child.send(question);
  const [answer] = (await once(child, "message")) as [Answer];
  return answer;
}

/** Variables of a service into which a watcher is preloaded: it reports on SIGUSR2, with a line of JSON. */
export const watchedBy = (file: string) => ({ NODE_OPTIONS: `--import=${pathOf(file)}` });

/** Resolves with the watcher's report on the time since the call before. */
export async function reportOf<Report>(service: ServiceProcess): Promise<Report> {
  const reports = () => [...service.output().matchAll(/^\{"watched":(.*)\}$/gm)].map(([, report]) => report);
  const before = reports().length;
  process.kill(service.pid, "SIGUSR2");
  await until(() => reports().length > before);
  return JSON.parse(reports().at(-1) ?? "");
}

// tracklog's own processes under the launcher: started together, restarted when they die, stopped in two groups.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "./tools/child.ts";
import { freePort, LOOPBACK } from "./tools/free-port.ts";
import { probeHttp } from "./tools/probe.ts";
import { type Supervised, supervise } from "./tools/supervised.ts";

export type Env = Readonly<Record<string, string>>;

/**
 * Callers reach these two; they stop first, while the others still do their work. The API starts before all others:
 * with few cores it would be ready only with the last of them.
 */
const doors = ["api", "state-api"] as const;
const workers = ["state-machine", "projector", "webhooks", "replay"] as const;

/** Twice this is well below the 8 s that a Ctrl-C may take altogether: the stores stop after the services. */
const STOP_GRACE_MS = 3_000;

export interface Services {
  /** Address of the API for operators. */
  readonly apiOpsUrl: string;
  stop(): Promise<void>;
}

/** Throws EmbeddedError when a service does not start. */
export async function startServices(env: Env, logDir: string): Promise<Services> {
  const apiOpsPort = await freePort();
  const prepare = async (name: string) =>
    prepareService(name, name === "api" ? apiOpsPort : await freePort(), env, join(logDir, `${name}.log`));
  const groups = [await Promise.all(doors.map(prepare)), await Promise.all(workers.map(prepare))];
  const stop = async () => {
    for (const group of groups) await Promise.all(group.map((service) => service.stop()));
  };
  try {
    const [api, ...others] = groups.flat();
    await api?.start();
    await Promise.all(others.map((service) => service.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  return { apiOpsUrl: `http://${LOOPBACK}:${apiOpsPort}`, stop };
}

function prepareService(name: string, opsPort: number, env: Env, logFile: string): Supervised {
  const ops = { OPS_HOST: LOOPBACK, OPS_PORT: String(opsPort) };
  return supervise(
    {
      title: `The ${name}`,
      command: serviceCommand(`${name}/main`, { ...env, ...ops }),
      logFile,
      probe: () => probeHttp(`http://${LOOPBACK}:${opsPort}/readyz`),
      stopGraceMs: STOP_GRACE_MS,
    },
    () => {},
  );
}

/** The message opens an IPC channel: a service whose launcher is gone stops by itself. */
export const serviceCommand = (file: string, env: Env, args: readonly string[] = []): Command => ({
  file: process.execPath,
  args: [pathOf(file), ...args],
  env,
  message: {},
});

/** Returns the path of `file`, which is below services and has no extension. */
export const pathOf = (file: string): string => fileURLToPath(new URL(`../${file}.ts`, import.meta.url));

// The file from which commands read the addresses of the launcher's stores. Only its owner can read it, because it
// holds passwords.
import { rm } from "node:fs/promises";
import { type RunningStores, runningStoresFile } from "../common/command-config.ts";
import type { Env } from "./services.ts";
import { writeSecret } from "./tools/data-dir.ts";
import { VARIABLES } from "./variables.ts";

/** Variables that make commands work on the same topics and tables as the services, and open the same secrets. */
const SHARED_SETTINGS = [
  "TRACKLOG_NAMESPACE",
  "CLICKHOUSE_DATABASE",
  ...["SECRETS_KEY", "SECRETS_OLD_KEYS"].flatMap((name) => [name, `${name}_FILE`]),
];

/** `given` is the environment of the launcher, `started` the variables of the stores that were started. */
export async function announceStores(dataDir: string, given: Env, started: Env): Promise<void> {
  const running: RunningStores = {
    pid: process.pid,
    listening: Object.values(VARIABLES).flatMap(([address]) => placeOf(started[address])),
    stores: { ...pick(given, Object.values(VARIABLES).flat()), ...started },
    settings: pick(given, SHARED_SETTINGS),
  };
  await writeSecret(runningStoresFile(dataDir), `${JSON.stringify(running)}\n`);
}

export const withdrawStores = (dataDir: string): Promise<void> => rm(runningStoresFile(dataDir), { force: true });

const pick = (env: Env, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => names.includes(name)));

/** Returns the place of a store that was started here. The address is host:port, or a URL with both. */
function placeOf(address: string | undefined): RunningStores["listening"] {
  if (address === undefined) return [];
  const { hostname, port } = new URL(address.includes("://") ? address : `tcp://${address}`);
  return [{ host: hostname, port: Number(port) }];
}

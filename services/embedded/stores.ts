// The real stores on one machine without containers: for development, tests and single-machine installations.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { openGuard } from "./guard-link.ts";
import { type PartName, partNames } from "./protocol.ts";
import { checkFormat, preparePrivateDir } from "./tools/data-dir.ts";
import { VARIABLES } from "./variables.ts";

export interface StoresOptions {
  /** Folder of the data, which survives restarts. One launcher may use it at a time. */
  readonly dataDir: string;
  /** PATH and JAVA_HOME are used; a store whose variable is set is not started. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of fetched programs for all data directories; by default <repository>/.tracklog/cache. */
  readonly cacheDir?: string;
  /** Receives one line of text per step: a fetch, or a store that answers. */
  readonly onProgress?: (text: string) => void;
}

export interface Stores {
  /** Variables with which a client reaches the stores (variables.ts), including those of given stores. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of the stores that were started here. */
  readonly started: readonly PartName[];
  /** Stops the stores that were started here, in order, within about 8 s. May be called twice. */
  stop(): Promise<void>;
  /** Processes of the stores started here. A store that dies is restarted at its address, as a new process. */
  pids(): Partial<Record<PartName, number>>;
  /** Sends SIGKILL to a store, which then stays stopped until `resume` starts it at the same address. */
  halt(part: PartName): Promise<void>;
  resume(part: PartName): Promise<void>;
  /** Rejects when the guarding process has ended without having been stopped; never resolves. */
  readonly failed: Promise<never>;
  readonly guardPid: number;
}

const DEFAULT_CACHE_DIR = fileURLToPath(new URL("../../.tracklog/cache", import.meta.url));

/** Starts the stores that the environment does not name. Throws EmbeddedError, whose message says how to mend it. */
export async function startStores(options: StoresOptions): Promise<Stores> {
  const set = Object.fromEntries(Object.entries(options.env).filter(isSet));
  const isGiven = (part: PartName) => set[VARIABLES[part][0]] !== undefined;
  const given = partNames.filter(isGiven).flatMap((part) => VARIABLES[part].map((name) => [name, set[name]] as const));
  const dataDir = resolve(options.dataDir);
  await preparePrivateDir(dataDir);
  await checkFormat(dataDir);

  const guard = openGuard(dataDir, options.onProgress ?? (() => {}));
  const parts = partNames.filter((part) => !isGiven(part));
  const started = await guard.start({
    dataDir,
    cacheDir: resolve(options.cacheDir ?? DEFAULT_CACHE_DIR),
    env: set,
    parts,
  });
  // Variables that belong to another store must not reach the clients of the store that is started here.
  const others = parts.flatMap((part) => VARIABLES[part]);
  const unset = Object.fromEntries(others.filter((name) => set[name] !== undefined).map((name) => [name, ""]));
  return { ...guard, started: parts, env: { ...unset, ...Object.fromEntries(given.filter(isSet)), ...started } };
}

const isSet = (entry: readonly [string, string | undefined]): entry is [string, string] =>
  entry[1] !== undefined && entry[1] !== "";

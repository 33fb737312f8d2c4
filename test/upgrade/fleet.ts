// Two processes of each role. Each has its own address for the whole run, and is replaced alone.
import { performance } from "node:perf_hooks";
import { freePort } from "../../services/embedded/tools/free-port.ts";
import { type ProcessName, type ServiceProcess, startService } from "../support/running/processes.ts";
import type { Version } from "./versions.ts";

/** The order of docs/upgrading.md: readers come before the writers of what they read. */
export const UPGRADE_ORDER = [
  "state-api",
  "webhooks",
  "state-machine",
  "projector",
  "api",
  "replay",
] as const satisfies readonly ProcessName[];

export const INSTANCES = [0, 1] as const;

export interface Place {
  readonly role: ProcessName;
  readonly instance: number;
}

export interface Stopped {
  readonly code: number | null;
  /** From SIGTERM to the exit. */
  readonly stopMs: number;
  /** From the start to the readiness of the new process. */
  readonly startMs: number;
  readonly output: string;
}

export interface Fleet {
  /** Addresses of the API and of the REST interface, without paths. */
  readonly urls: Readonly<Record<"api" | "state-api", readonly string[]>>;
  /** Whether the process at the address stops, is away, or has begun just now. */
  isAway(url: string): boolean;
  /** SIGTERM, and then a new process in its place. */
  replace(place: Place, version: Version): Promise<Stopped>;
  /** Outputs of all processes that were ever started, by role and number. */
  outputs(): readonly { readonly name: string; readonly output: string }[];
  /** Roles and numbers of processes that ended by themselves. */
  ended(): readonly string[];
  stop(): Promise<void>;
}

/** A client may notice only now that its idle connection to the process before was closed. */
const GRACE_MS = 2_000;

export async function startFleet(version: Version, env: Readonly<Record<string, string>>): Promise<Fleet> {
  const ports = new Map<string, number>();
  for (const place of places()) if (isServing(place.role)) ports.set(keyOf(place), await freePort());
  const urlOf = (place: Place) => `http://127.0.0.1:${ports.get(keyOf(place))}`;
  const urlsOf = (role: ProcessName) => INSTANCES.map((instance) => urlOf({ role, instance }));
  const running = new Map<string, ServiceProcess>();
  const started: { readonly name: string; readonly process: ServiceProcess }[] = [];
  /** Addresses of processes that are away, with the time until which they count as such. */
  const away = new Map<string, number>();

  async function start(place: Place, { dir }: Version): Promise<void> {
    const process = await startService(place.role, { ...env, ...addressOf(place.role, ports.get(keyOf(place))) }, dir);
    running.set(keyOf(place), process);
    started.push({ name: `${started.length}-${keyOf(place)}`, process });
  }

  const stop = async () => {
    await Promise.all([...running.values()].map((process) => process.stop()));
  };
  try {
    // A role at a time: all at once would take the machine for longer than a start may last.
    for (const role of UPGRADE_ORDER.toReversed()) {
      await Promise.all(INSTANCES.map((instance) => start({ role, instance }, version)));
    }
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    urls: { api: urlsOf("api"), "state-api": urlsOf("state-api") },
    isAway: (url) => (away.get(url) ?? 0) > performance.now(),
    async replace(place, next) {
      const leaving = running.get(keyOf(place));
      if (leaving === undefined) throw new Error(`${keyOf(place)} does not run`);
      away.set(urlOf(place), Number.POSITIVE_INFINITY);
      const toldAt = performance.now();
      const code = await leaving.stop();
      const goneAt = performance.now();
      await start(place, next);
      const readyAt = performance.now();
      away.set(urlOf(place), readyAt + GRACE_MS);
      return { code, stopMs: goneAt - toldAt, startMs: readyAt - goneAt, output: leaving.output() };
    },
    outputs: () => started.map(({ name, process }) => ({ name, output: process.output() })),
    ended: () => [...running].flatMap(([name, process]) => (process.running() ? [] : [name])),
    stop,
  };
}

export const places = (): Place[] => UPGRADE_ORDER.flatMap((role) => INSTANCES.map((instance) => ({ role, instance })));

/** Returns `api 1` for the first process of the API. */
export const nameOf = ({ role, instance }: Place): string => `${role} ${instance + 1}`;

const keyOf = ({ role, instance }: Place): string => `${role}-${instance}`;
const isServing = (role: ProcessName): boolean => role === "api" || role === "state-api";

function addressOf(role: ProcessName, port: number | undefined): Record<string, string> {
  if (role === "api") return { API_HOST: "127.0.0.1", API_PORT: String(port) };
  if (role === "state-api") return { STATE_API_HOST: "127.0.0.1", STATE_API_PORT: String(port) };
  return {};
}

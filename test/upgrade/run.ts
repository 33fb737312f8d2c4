// One run: a whole tracklog with two processes of each role under load, which are replaced one by one.
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { messageOf } from "../../schemas/errors.ts";
import { openInspector } from "../support/clients/final-state-inspector.ts";
import type { FinalState } from "../support/oracles/final-state.ts";
import { survive } from "../support/oracles/survive.ts";
import type { PreparedSystem } from "../support/running/launch-system.ts";
import { type Callers, createCallers } from "./callers.ts";
import { type Fleet, type Place, startFleet } from "./fleet.ts";
import { watchLag } from "./lag-watch.ts";
import { type Loads, startLoads } from "./loads.ts";
import { type Replaced, replaceAll, type Scene } from "./replacements.ts";
import { runCommand, type Version } from "./versions.ts";

export interface RunOptions {
  readonly stores: Readonly<Record<string, string>>;
  readonly namespace: string;
  readonly present: Version;
  /** The version that all processes have at first and in the end; without it they are only restarted. */
  readonly from?: Version | undefined;
  /** The processes to replace, in the order of an upgrade. */
  readonly places: readonly Place[];
  readonly pauseMs: number;
  /** Milliseconds within which no reader may lag behind any more after a replacement. */
  readonly goalMs: number;
  readonly print: (text: string) => void;
}

export interface RunResult {
  readonly replaced: readonly Replaced[];
  readonly complaints: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly state: FinalState | undefined;
  readonly outputs: ReturnType<Fleet["outputs"]>;
}

type Env = Readonly<Record<string, string>>;

const TTL_MS = 4_000;
const SETTINGS = {
  TRACK_TTL: String(TTL_MS / 1_000),
  ALLOWED_URL_CIDRS: "127.0.0.0/8",
  // Each signal must come by itself, so that the receivers can be compared with the log.
  WEBHOOKS_MERGE_AFTER_MS: "86400000",
  // On a busy machine writes may wait for more than half a second without a flood.
  API_QUEUE_MS: "10000",
};
const LOAD = { seed: 41, cameras: 4, walkersPerCamera: 3, fps: 5, pauseMs: 200 };
/** The longest that a replacement takes on a busy machine; the load must not end before the last one. */
const REPLACEMENT_MS = 60_000;
/** The load goes on for so long before the first replacement, which shows the usual lag. */
const UNDISTURBED_MS = 20_000;

const token = z.object({ id: z.string(), value: z.string() });

export async function runUpgrade(options: RunOptions): Promise<RunResult> {
  const { stores, namespace, present, from = present } = options;
  const secrets = { SECRETS_KEY: randomBytes(32).toString("base64") };
  const env = { ...stores, ...SETTINGS, ...secrets, TRACKLOG_NAMESPACE: namespace, CLICKHOUSE_DATABASE: namespace };
  await prepareStores(from, env);
  const create = ["create", "--name", "upgrade", "--scopes", "read,write", "--json"];
  const credentials = token.parse(JSON.parse(await runCommand(from, "services/cli/tokens/main.ts", create, env)));
  const fleet = await startFleet(from, env);
  const complaints: string[] = [];
  let isOver = false;
  const complain = (text: string) => {
    // A load that still runs after a failure finds no process any more.
    if (isOver) return;
    complaints.push(text);
    options.print(`difference: ${text}`);
  };
  const callers = createCallers({ fleet, token: credentials, complain });
  const system = systemOf({ env, namespace, token: credentials }, callers);
  const disturbed: Disturbed = { replaced: [], counts: {}, state: undefined };
  try {
    await disturb({ options, env, fleet, callers, system, complain }, disturbed);
  } catch (error) {
    complain(messageOf(error));
  } finally {
    for (const name of fleet.ended()) complain(`${name} ended by itself`);
    isOver = true;
    await fleet.stop();
  }
  return { ...disturbed, complaints, outputs: fleet.outputs() };
}

/** Every new connection of a subscriber goes to the next instance. */
const systemOf = (known: Pick<PreparedSystem, "env" | "namespace" | "token">, callers: Callers): PreparedSystem => ({
  ...known,
  client: callers.client,
  get url() {
    return `${callers.nextApi()}/graphql`;
  },
});

/** Step 1 of docs/upgrading.md. */
async function prepareStores(version: Version, env: Env): Promise<void> {
  await runCommand(version, "services/cli/provision/main.ts", [], env);
  await runCommand(version, "services/projector/migrate.ts", [], env);
}

interface Undisturbed {
  readonly options: RunOptions;
  readonly env: Env;
  readonly fleet: Fleet;
  readonly callers: Callers;
  readonly system: PreparedSystem;
  readonly complain: (text: string) => void;
}

/** Filled while the run goes on, so that a run that fails shows how far it came. */
interface Disturbed {
  readonly replaced: Replaced[];
  counts: Readonly<Record<string, number>>;
  state: FinalState | undefined;
}

async function disturb({ options, env, fleet, callers, system, complain }: Undisturbed, disturbed: Disturbed) {
  const inspector = await openInspector(system);
  const lag = await watchLag(inspector, env);
  let loads: Loads | undefined;
  try {
    const begun = await startLoads({ system, callers, inspector, ttlMs: TTL_MS, complain });
    loads = begun;
    const gaps = { ...callers.gaps, ...begun.gaps };
    const scene: Scene = { ...options, fleet, callers, lag, gaps, complain };
    const load = { ...LOAD, ttlMs: TTL_MS, objects: true, seconds: secondsOf(options) };
    disturbed.state = await survive(system, load, async (world) => {
      begun.beginReaders(world.load.stage);
      await delay(UNDISTURBED_MS / 2);
      lag.take();
      await delay(UNDISTURBED_MS / 2);
      await replaceThereAndBack(scene, options, env, disturbed.replaced);
      if (world.load.heldBack()) complain("the load ended before the last replacement");
      world.load.conclude();
      await world.load.done;
      await begun.stop(() => world.load.stage);
    });
    for (const text of await begun.differences()) complain(text);
  } finally {
    disturbed.counts = { ...callers.retryable(), ...loads?.counts() };
    await loads?.close();
    await lag.stop();
    await inspector.close();
  }
}

const secondsOf = ({ from, pauseMs, places }: RunOptions): number =>
  ((from === undefined ? 1 : 2) * places.length * (REPLACEMENT_MS + pauseMs)) / 1_000;

async function replaceThereAndBack(scene: Scene, options: RunOptions, env: Env, replaced: Replaced[]): Promise<void> {
  const { from, present, places } = options;
  if (from !== undefined) await prepareStores(present, env);
  await replaceAll(scene, places, present, replaced);
  // The way back is the same in reverse: writers come before the readers of what they write.
  if (from !== undefined) await replaceAll(scene, places.toReversed(), from, replaced);
}

// One run: a whole tracklog with two processes of each role under load, which are replaced one by one.
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { messageOf } from "../../schemas/errors.ts";
import { type Inspector, openInspector } from "../support/clients/final-state-inspector.ts";
import type { FinalState } from "../support/oracles/final-state.ts";
import { survive, type World } from "../support/oracles/survive.ts";
import type { PreparedSystem } from "../support/running/launch-system.ts";
import { startTwins, type Twins } from "../support/scenes/twins.ts";
import { type Callers, createCallers } from "./callers.ts";
import { type Fleet, places, startFleet } from "./fleet.ts";
import { type LagWatch, watchLag } from "./lag-watch.ts";
import { type Replaced, replaceAll, type Scene } from "./replacements.ts";
import { type DetectionSubscriber, followDetections } from "./traffic/detections.ts";
import { createEarlyTracks } from "./traffic/early.ts";
import { readHistory } from "./traffic/history.ts";
import { decideEvents, readLiveState } from "./traffic/live-state.ts";
import { recordForReplays, replayAgain } from "./traffic/replays.ts";
import { receiveSignals, type SignalReceivers } from "./traffic/signals.ts";
import type { Traffic } from "./traffic/traffic.ts";
import { runCommand, type Version } from "./versions.ts";

export interface RunOptions {
  readonly stores: Readonly<Record<string, string>>;
  readonly namespace: string;
  readonly present: Version;
  /** The version that all processes have at first and in the end; without it they are only restarted. */
  readonly from?: Version | undefined;
  readonly pauseMs: number;
  readonly print: (text: string) => void;
}

export interface RunResult {
  readonly replaced: readonly Replaced[];
  readonly complaints: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly state: FinalState | undefined;
  readonly outputs: ReturnType<Fleet["outputs"]>;
}

const TTL_MS = 4_000;
const SETTINGS = {
  TRACK_TTL: String(TTL_MS / 1_000),
  ALLOWED_URL_CIDRS: "127.0.0.0/8",
  // Each signal must come by itself, so that the receivers can be compared with the log.
  WEBHOOKS_MERGE_AFTER_MS: "86400000",
  // On a busy machine writes may wait for more than half a second without a flood.
  API_QUEUE_MS: "10000",
};
const LOAD = { seed: 41, cameras: 6, walkersPerCamera: 4, fps: 5, pauseMs: 200 };
/** The longest that a replacement takes; the load must not end before the last one. */
const REPLACEMENT_S = 30;

const token = z.object({ id: z.string(), value: z.string() });

export async function runUpgrade(options: RunOptions): Promise<RunResult> {
  const { stores, namespace, present, from = present } = options;
  const env = {
    ...stores,
    ...SETTINGS,
    TRACKLOG_NAMESPACE: namespace,
    CLICKHOUSE_DATABASE: namespace,
    SECRETS_KEY: randomBytes(32).toString("base64"),
  };
  await prepareStores(from, env);
  const create = ["create", "--name", "upgrade", "--scopes", "read,write", "--json"];
  const credentials = token.parse(JSON.parse(await runCommand(from, "services/cli/tokens/main.ts", create, env)));
  const fleet = await startFleet(from, env);
  const complaints: string[] = [];
  const complain = (text: string) => void complaints.push(text);
  const callers = createCallers({ fleet, token: credentials, complain });
  const system: PreparedSystem = {
    ...{ env, namespace, token: credentials, client: callers.client },
    get url() {
      return `${callers.nextApi()}/graphql`;
    },
  };
  const inspector = await openInspector(system);
  const lag = await watchLag(inspector, env);
  const found: { replaced: readonly Replaced[]; counts: Record<string, number>; state: FinalState | undefined } = {
    ...{ replaced: [], counts: {}, state: undefined },
  };
  try {
    const loaded = await startLoads({ system, callers, inspector, complain });
    const scene: Scene = { ...options, fleet, callers, lag, complain, gaps: { ...callers.gaps, ...loaded.gaps } };
    const seconds = (options.from === undefined ? 1 : 2) * places().length * (REPLACEMENT_S + options.pauseMs / 1_000);
    found.state = await survive(system, { ...LOAD, ttlMs: TTL_MS, objects: true, seconds }, async (world) => {
      found.replaced = await replaceUnderLoad({ world, loaded, scene, options, env });
    });
    found.counts = { ...callers.retryable() };
    for (const traffic of loaded.all) {
      for (const text of await traffic.differences()) complain(`${traffic.name}: ${text}`);
      Object.assign(found.counts, traffic.counts());
    }
    const twins = await loaded.twinsDiffer();
    if (twins !== undefined) complain(`direct producers: ${twins}`);
    for (const traffic of loaded.all) await traffic.close();
  } catch (error) {
    complain(messageOf(error));
  } finally {
    for (const name of fleet.ended()) complain(`${name} ended by itself`);
    await lag.stop().catch((error: unknown) => complain(`lag: ${messageOf(error)}`));
    await inspector.close();
    await fleet.stop();
  }
  return { ...found, complaints, outputs: fleet.outputs() };
}

/** Step 1 of docs/upgrading.md. */
async function prepareStores(version: Version, env: Readonly<Record<string, string>>): Promise<void> {
  await runCommand(version, "services/cli/provision/main.ts", [], env);
  await runCommand(version, "services/projector/migrate.ts", [], env);
}

interface Loading {
  readonly system: PreparedSystem;
  readonly callers: Callers;
  readonly inspector: Inspector;
  readonly complain: (text: string) => void;
}

interface Loads extends Loading {
  readonly twins: Twins;
  readonly recorded: Awaited<ReturnType<typeof recordForReplays>>;
  readonly subscribers: readonly DetectionSubscriber[];
  readonly signals: SignalReceivers;
  /** Grows when more traffic begins. */
  readonly all: Traffic[];
  readonly gaps: Pick<Scene["gaps"], "subscriber" | "webhooks">;
  twinsDiffer: () => Promise<string | undefined>;
}

/** Resolves when every subscriber receives. */
async function startLoads(loading: Loading): Promise<Loads> {
  const { system, callers, inspector, complain } = loading;
  const twins = await startTwins(system, inspector, TTL_MS);
  const early = await createEarlyTracks(system.client);
  const recorded = await recordForReplays(system.client, callers.rest);
  const follow = () => followDetections(callers.nextApi, system.token, complain);
  const [first, second] = [await follow(), await follow()];
  const signals = await receiveSignals({
    ...{ rest: callers.rest, inspector, token: system.token, ttlMs: TTL_MS, isEarly: early.isEarly },
    dataSourceIds: [...twins.dataSourceIds, early.dataSourceId],
  });
  const receiving = [first, second, signals];
  await early.sendUntil(() => receiving.every((each) => each.isListening()));
  twins.begin();
  const gaps = { subscriber: first.gap, webhooks: signals.gap };
  const twinsDiffer = async () => undefined;
  return { ...loading, twins, recorded, subscribers: [first, second], signals, all: [...receiving], gaps, twinsDiffer };
}

interface Replacing {
  readonly world: World<PreparedSystem>;
  readonly loaded: Loads;
  readonly scene: Scene;
  readonly options: RunOptions;
  readonly env: Readonly<Record<string, string>>;
}

async function replaceUnderLoad({ world, loaded, scene, options, env }: Replacing): Promise<readonly Replaced[]> {
  const { load } = world;
  const { callers, complain, recorded } = loaded;
  const { client, rest } = callers;
  const [camera] = load.stage;
  if (camera === undefined) throw new Error("the scene has no camera");
  loaded.all.push(
    readLiveState(rest, load.stage, complain),
    decideEvents(rest, complain),
    readHistory(client, camera.dataSourceId, complain),
    replayAgain(rest, recorded, complain),
  );
  await scene.lag.back(LAG_AT_FIRST_MS);
  if (options.from !== undefined) await prepareStores(options.present, env);
  const replaced = [...(await replaceAll(scene, places(), options.present))];
  // The way back is the same in reverse: writers come before the readers of what they write.
  if (options.from !== undefined) replaced.push(...(await replaceAll(scene, places().toReversed(), options.from)));
  if (load.heldBack()) complain("the load ended before the last replacement");
  for (const traffic of loaded.all) await traffic.stop();
  loaded.twinsDiffer = await loaded.twins.stop();
  load.conclude();
  await load.done;
  const sent = load.stage.flatMap(({ camera: { detections } }) => detections);
  for (const subscriber of loaded.subscribers) subscriber.expect(sent);
  return replaced;
}

const LAG_AT_FIRST_MS = 60_000;

// npm run test:redis-cluster -- [--deaths N] [--tls]: the whole system on a Redis Cluster of three masters with a
// replica each. Under a load, masters are killed, or hang, one after the other. Prints the figures, and ends with code
// 1 unless the end is as if nothing had happened.
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { eventStateKeys, partitionKeys, replayKeys } from "../../schemas/redis-keys.ts";
import { startStores } from "../../services/embedded/stores.ts";
import { longestSilence } from "../faults/longest-silence.ts";
import { hangWhile } from "../faults/strike.ts";
import { redisClusterUsers } from "../integration/secured/production-rights.ts";
import { readScripts } from "../structure/lua.ts";
import { type Inspector, openInspector } from "../support/clients/final-state-inspector.ts";
import type { Receiver } from "../support/clients/receivers.ts";
import { survive, type World } from "../support/oracles/survive.ts";
import { createAuthority } from "../support/running/certificates.ts";
import { quickSettings, TTL_MS } from "../support/running/final-state-settings.ts";
import { launchSystem, type System } from "../support/running/launch-system.ts";
import type { ProcessName } from "../support/running/processes.ts";
import { type RedisCluster, startRedisCluster } from "../support/running/redis-cluster.ts";
import { startStateApi } from "../support/running/state-api.ts";
import { type Callers, startCallers } from "./callers.ts";
import { expectSignals, longestPause, SUBSCRIPTIONS, subscribeToAll } from "./signals.ts";

/** The longest time without live state, signals or answers that one death may cost. */
const MOST_MS = 15_000;
const NODE_TIMEOUT_MS = 2_000;
/** The load goes on for so long before and after each death. */
const QUIET_MS = 5_000;
/** A master stays dead longer than anybody may notice. */
const DEAD_MS = MOST_MS + 3_000;
const SEED = 17;
/**
 * A load that one receiver keeps up with, although it gets one signal after the other. It lasts longer than the deaths.
 */
const LOAD = { seed: SEED, pauseMs: 200, cameras: 3, walkersPerCamera: 2 };
const LOAD_SECONDS_OF_A_DEATH = 45;

const { count, isSecured } = parseCommand();
const scratch = await mkdtemp(join(tmpdir(), "tracklog-redis-cluster-"));
const namespace = `redis_cluster_${randomBytes(3).toString("hex")}`;
const cluster = await startCluster();
const stores = await startStores({ dataDir: join(scratch, "stores"), env: { ...process.env, ...cluster.envOf() } });
let launched: Awaited<ReturnType<typeof launchSystem>> | undefined;
try {
  const env = { ...stores.env, ...cluster.envOf() };
  const settings = {
    ...(await quickSettings(env)),
    ALLOWED_URL_CIDRS: "127.0.0.0/8",
    // Signals that wait for a master must not be merged: each is counted.
    WEBHOOKS_MERGE_AFTER_MS: "86400000",
    STATE_API_MAX_REPLAYS_PER_TOKEN: "1000",
    API_QUEUE_MS: "10000",
  };
  launched = await launchSystem(env, namespace, settings, variablesOf);
  const figures = await run(launched.system);
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
} catch (error) {
  process.exitCode = 1;
  print(error instanceof Error ? (error.stack ?? error.message) : String(error));
  for (const [nth, { name, output }] of (launched?.system.started ?? []).entries()) {
    await writeFile(join(scratch, `${nth}-${name}.log`), output());
  }
  print(`logs: ${scratch}`);
} finally {
  await launched?.stop();
  await stores.stop();
  await cluster.stop();
  if (process.exitCode !== 1) await rm(scratch, { recursive: true, force: true });
}
process.exit();

async function run(system: System) {
  const token = { "x-token-id": system.token.id, "x-token-value": system.token.value };
  const url = await startStateApi(system, variablesOf("state-api"));
  await Promise.all((["webhooks", "replay"] as const).map((role) => system.start(role, variablesOf(role))));
  const receiver = await subscribeToAll(url, token);
  const callers = startCallers({
    url,
    token,
    subscriptionId: Object.keys(SUBSCRIPTIONS)[0] ?? "",
    webhookUrl: receiver.url,
  });
  const inspector = await openInspector(system);
  const deaths: object[] = [];
  let answered: object = {};
  try {
    const load = { ...LOAD, ttlMs: TTL_MS, seconds: (count + 1) * LOAD_SECONDS_OF_A_DEATH };
    const state = await survive(system, load, async (world) => {
      for (let nth = 0; nth < count; nth++) deaths.push(await strike(nth, world, inspector, receiver));
      answered = await callers.stop();
    });
    const complaints = await complaintsAbout(callers, system);
    if (complaints.length > 0) throw new Error(complaints.join("\n"));
    const signals = await expectSignals(inspector, receiver, TTL_MS, callers.tests);
    return { isSecured, deaths, answered, ...state, ...signals, scripts: await scriptsRun() };
  } finally {
    await inspector.close();
    await receiver.close();
  }
}

/** Kills the master of sessions, of events or of a partition in turn, or lets it hang. */
async function strike(nth: number, { load }: World, inspector: Inspector, receiver: Receiver) {
  const keys = [
    replayKeys(namespace).open,
    eventStateKeys(namespace).marker,
    ...[0, 1, 2].map((partition) => partitionKeys(namespace, partition).position),
  ];
  const key = keys[nth % keys.length] ?? "";
  const how = nth % 3 === 1 ? "hangs" : "is killed";
  await delay(QUIET_MS);
  const master = await cluster.masterOf(key);
  const [mutations, saves, from] = [longestSilence(load), longestWithoutSave(inspector), Date.now()];
  print(`the master of ${key} ${how}`);
  if (how === "hangs") await hangWhile(master.pid() ?? 0, () => delay(DEAD_MS));
  else await Promise.all([master.halt(), delay(DEAD_MS)]);
  const figures = {
    how,
    key,
    "longest time without a mutation, ms": Math.round(mutations.stop()),
    "longest time without a save of one partition, ms": Math.round(await saves.stop()),
    "longest time without a signal, ms": longestPause(receiver, from, Date.now()),
  };
  print(JSON.stringify(figures));
  if (Object.values(figures).some((ms) => typeof ms === "number" && ms > MOST_MS)) {
    throw new Error(`a death was noticed for more than ${MOST_MS} ms: ${JSON.stringify(figures)}`);
  }
  if (how !== "hangs") await master.start();
  await cluster.whole();
  return figures;
}

/** An owner saves at least every two seconds, so each partition shows how long its master was away. */
function longestWithoutSave({ redis }: Inspector) {
  const savedAt = new Map<number, { saves: string; at: number }>();
  let longest = 0;
  let isOver = false;
  async function watch(partition: number): Promise<void> {
    const { position } = partitionKeys(namespace, partition);
    while (!isOver) {
      const saves = await redis.hget(position, "saves").catch(() => null);
      const now = performance.now();
      const last = savedAt.get(partition) ?? { saves: "", at: now };
      longest = Math.max(longest, now - last.at);
      if (saves !== null && saves !== last.saves) savedAt.set(partition, { saves, at: now });
      await delay(20);
    }
    longest = Math.max(longest, performance.now() - (savedAt.get(partition)?.at ?? Number.NEGATIVE_INFINITY));
  }
  const watching = Promise.all(Array.from({ length: 12 }, (_, partition) => watch(partition)));
  return {
    async stop(): Promise<number> {
      isOver = true;
      await watching;
      return longest;
    },
  };
}

async function complaintsAbout(callers: Callers, system: System): Promise<readonly string[]> {
  const ended = system.started.flatMap((service) => (service.running() ? [] : [`${service.name} has ended`]));
  return [...(await callers.complaints()), ...ended, ...(await refusals())];
}

/** Lists what the servers denied to the roles. */
async function refusals(): Promise<readonly string[]> {
  if (!isSecured) return [];
  const logs = await Promise.all(cluster.nodes.map(({ admin }) => admin.call("ACL", "LOG")));
  return logs.flat().map((entry) => `denied: ${JSON.stringify(entry)}`);
}

/** Resolves with the number of scripts that a present master has run, of all. */
async function scriptsRun(): Promise<string> {
  const hashes = readScripts().map(({ text }) => createHash("sha1").update(text).digest("hex"));
  const known = await Promise.all(cluster.nodes.map(({ admin }) => admin.script("EXISTS", ...hashes)));
  const count = hashes.filter((_, i) => known.some((each) => Array(each).flat()[i] === 1)).length;
  return `${count} of ${hashes.length}`;
}

async function startCluster(): Promise<RedisCluster> {
  const users = redisClusterUsers().map((line) => line.replaceAll(/([~&])(\w)/g, `$1${namespace}:$2`));
  const secured = isSecured ? { authority: await createAuthority(scratch), users } : undefined;
  return startRedisCluster({
    ...{ dir: join(scratch, "redis"), masters: 3, replicasOfEach: 1, nodeTimeoutMs: NODE_TIMEOUT_MS },
    ...(secured === undefined ? {} : { secured }),
  });
}

function variablesOf(role: ProcessName): Readonly<Record<string, string>> {
  return isSecured && role !== "projector" ? cluster.envOf(`tracklog-${role}`) : {};
}

function parseCommand() {
  const { values } = parseArgs({
    options: {
      deaths: { type: "string", default: "3" },
      tls: { type: "boolean", default: false },
    },
  });
  const asked = Number(values.deaths);
  if (!(Number.isInteger(asked) && asked > 0)) {
    process.stderr.write("usage: npm run test:redis-cluster -- [--deaths N] [--tls]\n");
    process.exit(2);
  }
  return { count: asked, isSecured: values.tls };
}

function print(text: string): void {
  process.stderr.write(`${new Date().toISOString()} ${text}\n`);
}

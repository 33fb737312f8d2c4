// A Redis Cluster on this machine, made without redis-cli.
import { join } from "node:path";
import { Redis } from "ioredis";
import { hashSlotOf } from "../../../services/common/redis/hash-slot.ts";
import { tlsFromFiles } from "../../../services/common/tls-files.ts";
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import type { Authority } from "./certificates.ts";
import { until } from "./processes.ts";
import { encrypted, type RedisServer, startRedisServer } from "./secured-redis.ts";

export interface RedisNode extends RedisServer {
  readonly port: number;
  /** An administrator's connection, opened by its first command. */
  readonly admin: Redis;
}

export interface RedisCluster {
  /** Variables of a user; without security there is only the default user. */
  envOf(user?: string): Readonly<Record<string, string>>;
  readonly nodes: readonly RedisNode[];
  /** Resolves with the present master of the key. */
  masterOf(key: string): Promise<RedisNode>;
  /** Waits until every hash slot has a master, and every master the replicas that it had in the beginning. */
  whole(): Promise<void>;
  stop(): Promise<void>;
}

export interface RedisClusterOptions {
  /** Configuration and data are kept below it. */
  readonly dir: string;
  readonly masters: number;
  readonly replicasOfEach: number;
  /** A node that is silent for so long counts as dead. */
  readonly nodeTimeoutMs: number;
  /** TLS with certificates on both sides, and users: lines of the configuration with PASSWORD for each password. */
  readonly secured?: { readonly authority: Authority; readonly users: readonly string[] };
}

const HOST = "127.0.0.1";
const SLOTS = 16_384;
const BUS_DISTANCE = 10_000;
const ADMIN = "admin";
const passwordOf = (user: string): string => `password-of-${user}`;

export async function startRedisCluster(options: RedisClusterOptions): Promise<RedisCluster> {
  const { masters, replicasOfEach } = options;
  const security = await securityOf(options);
  const count = masters * (1 + replicasOfEach);
  const nodes = await Promise.all(Array.from({ length: count }, (_, nth) => startNode(nth, options, security)));
  const running = () => nodes.filter((node) => node.pid() !== undefined);
  const cluster: RedisCluster = {
    envOf: (user = ADMIN) => ({
      REDIS_URL: security === undefined ? "redis://unused" : `rediss://${user}:${passwordOf(user)}@unused`,
      REDIS_CLUSTER: nodes.map(({ port }) => `${HOST}:${port}`).join(","),
      ...security?.clientEnv,
    }),
    nodes,
    masterOf: (key) => until(() => masterOf(hashSlotOf(key), running())),
    whole: async () => void (await until(() => isWhole(running(), options))),
    async stop() {
      for (const { admin } of nodes) admin.disconnect();
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
  try {
    await introduce(nodes, masters);
    await cluster.whole();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

interface Security {
  readonly linesOf: (port: number) => readonly string[];
  readonly clientEnv: Readonly<Record<string, string>>;
}

async function securityOf({ secured }: RedisClusterOptions): Promise<Security | undefined> {
  if (secured === undefined) return undefined;
  const { authority, users } = secured;
  const [server, client] = [await authority.issue("redis-node"), await authority.issue("redis-client")];
  const linesOf = (port: number) => [
    ...encrypted(port, server, authority),
    "tls-cluster yes",
    "user default off",
    `user ${ADMIN} on >${passwordOf(ADMIN)} ~* &* +@all`,
    `masteruser ${ADMIN}`,
    `masterauth ${passwordOf(ADMIN)}`,
    ...users.map((line) => line.replace("PASSWORD", passwordOf(line.split(" ")[1] ?? ""))),
  ];
  const files = { REDIS_CA_FILE: authority.caFile, REDIS_CERT_FILE: client.certFile, REDIS_KEY_FILE: client.keyFile };
  return { linesOf, clientEnv: files };
}

async function startNode(nth: number, options: RedisClusterOptions, security?: Security): Promise<RedisNode> {
  const port = await freeNodePort();
  const server = await startRedisServer(join(options.dir, `node-${nth + 1}`), port, [
    ...(security?.linesOf(port) ?? [`port ${port}`]),
    'save ""',
    "cluster-enabled yes",
    `cluster-node-timeout ${options.nodeTimeoutMs}`,
    // The other masters go on while the replicas of a dead one vote.
    "cluster-require-full-coverage no",
    "repl-diskless-sync-delay 0",
  ]);
  const { REDIS_CA_FILE: ca = "", REDIS_CERT_FILE: cert = "", REDIS_KEY_FILE: key = "" } = security?.clientEnv ?? {};
  const login = { username: ADMIN, password: passwordOf(ADMIN), tls: tlsFromFiles({ ca, cert, key }) };
  const admin = new Redis({
    ...{ host: HOST, port, lazyConnect: true, maxRetriesPerRequest: 1, commandTimeout: 2_000 },
    ...(security === undefined ? {} : login),
  });
  admin.on("error", () => undefined);
  return { ...server, port, admin };
}

/**
 * Redis 6 has the port between the nodes 10 000 above that for clients, where outgoing connections may be. So the upper
 * one is chosen among the ports for servers, and the lower one is where few servers are.
 */
async function freeNodePort(): Promise<number> {
  const busPort = await until(async () => {
    const port = await freePort();
    return port < 30_000 && port;
  });
  return Number(busPort) - BUS_DISTANCE;
}

/** Divides the hash slots among the first nodes, and gives each of them its share of the others as replicas. */
async function introduce(nodes: readonly RedisNode[], masters: number): Promise<void> {
  const [first] = nodes;
  if (first === undefined) return;
  const share = Math.ceil(SLOTS / masters);
  for (const [nth, { admin }] of nodes.entries()) {
    await admin.call("CLUSTER", ["SET-CONFIG-EPOCH", nth + 1]);
    if (nth > 0) await first.admin.call("CLUSTER", ["MEET", HOST, nodes[nth]?.port ?? 0]);
    if (nth >= masters) continue;
    const slots = Array.from({ length: SLOTS }, (_, slot) => slot).slice(nth * share, (nth + 1) * share);
    await admin.call("CLUSTER", ["ADDSLOTS", ...slots]);
  }
  const known = async ({ admin }: RedisNode) => /cluster_known_nodes:(\d+)/.exec(await clusterInfo(admin))?.[1];
  await until(async () => (await Promise.all(nodes.map(known))).every((count) => Number(count) === nodes.length));
  const ids = await Promise.all(nodes.map(({ admin }) => admin.call("CLUSTER", "MYID")));
  for (const [nth, { admin }] of nodes.entries()) {
    // The node may not have received the master's slots yet, and refuses until then.
    if (nth >= masters) await until(() => admin.call("CLUSTER", ["REPLICATE", String(ids[nth % masters])]));
  }
}

const clusterInfo = async (admin: Redis): Promise<string> => String(await admin.call("CLUSTER", "INFO"));

async function isWhole(running: readonly RedisNode[], { masters, replicasOfEach }: RedisClusterOptions) {
  const states = await Promise.all(
    running.map(async ({ admin }) => `${await clusterInfo(admin)}${await admin.info("replication")}`),
  );
  const isGood = (state: string) => /cluster_state:ok/.test(state) && /cluster_slots_ok:16384/.test(state);
  const isMaster = (state: string) => state.includes("role:master");
  const inSync = states.filter((state) => state.includes("master_link_status:up"));
  return (
    states.every(isGood) && states.filter(isMaster).length === masters && inSync.length === masters * replicasOfEach
  );
}

/** Rejects while the nodes do not agree, or the master does not run. */
async function masterOf(slot: number, running: readonly RedisNode[]): Promise<RedisNode> {
  const ports = await Promise.all(running.map(({ admin }) => askForMaster(admin, slot)));
  const master = running.find(({ port }) => ports.every((each) => each === port));
  if (master === undefined) throw new Error(`slot ${slot} is at ${ports.join(", ")}`);
  return master;
}

type SlotsReply = readonly (readonly [number, number, readonly [string, number]])[];

async function askForMaster(admin: Redis, slot: number): Promise<number | undefined> {
  const ranges = (await admin.call("CLUSTER", "SLOTS")) as SlotsReply;
  return ranges.find(([from, to]) => from <= slot && slot <= to)?.[2][1];
}

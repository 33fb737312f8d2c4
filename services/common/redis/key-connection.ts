// A connection to the one server that has a key: for work that notices when another server takes over, and for notices.
// On a Cluster the server is found anew for each connection.
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";
import { AbstractConnector, Redis } from "ioredis";
import { z } from "zod";
import type { Log } from "../log.ts";
import {
  type Address,
  type ConnectionOptions,
  createRedis,
  hostAndPort,
  type RedisConfig,
  type RedisPart,
  SILENT_NODE_MS,
  tlsOf,
} from "./client.ts";
import { loginOf } from "./cluster.ts";
import { hashSlotOf } from "./hash-slot.ts";

type Options = Pick<ConnectionOptions, "autoResendUnfulfilledCommands" | "enableOfflineQueue">;

const DISCONNECT_MS = 2_000;
const ANSWER_WITHIN_MS = 1_000;

/** Commands may name keys of the same hash slot only. */
export function createRedisOf(key: string, config: RedisConfig, log: Log, options: Options = {}): RedisPart {
  if (config.REDIS_CLUSTER.length === 0) return createRedis(config, log, options);
  return createRedis(config, log, {
    ...options,
    Connector: connectorTo(key, config),
    socketTimeout: SILENT_NODE_MS,
    // The server has given the key to another one, which the next connection finds.
    reconnectOnError: ({ message }) => message.startsWith("MOVED "),
  });
}

/** Returns a class, because ioredis creates the connector itself. */
function connectorTo(key: string, config: RedisConfig) {
  const listed = config.REDIS_CLUSTER.map(hostAndPort);
  let known: readonly Address[] = listed;

  return class extends AbstractConnector {
    constructor() {
      super(DISCONNECT_MS);
    }

    async connect() {
      this.connecting = true;
      const nodes = await mastersOf([...known, ...listed], config);
      if (!this.connecting) throw new Error("Connection is closed.");
      const owner = nodes.find(({ from, to }) => from <= hashSlotOf(key) && hashSlotOf(key) <= to);
      known = nodes.length > 0 ? nodes : listed;
      // Without an answer this attempt fails, too, and the next one asks again.
      const { host, port } = owner ?? listed[0] ?? { host: "127.0.0.1", port: 0 };
      const { tls } = tlsOf(config);
      const stream = tls === undefined ? connectTcp({ host, port }) : connectTls({ ...tls, host, port });
      stream.once("error", (error) => {
        this.firstError = error;
      });
      this.stream = stream;
      return stream;
    }
  };
}

interface Master extends Address {
  /** Its first and its last hash slot; a master with several ranges is listed with each. */
  readonly from: number;
  readonly to: number;
}

const slotsReply = z.array(
  z.tuple([z.number(), z.number(), z.tuple([z.string().nullable(), z.number()]).rest(z.unknown())]).rest(z.unknown()),
);

/** Resolves with the answer of the first node that answers; empty when none does. */
async function mastersOf(nodes: readonly Address[], config: RedisConfig): Promise<readonly Master[]> {
  const asked = new Set<string>();
  for (const node of nodes) {
    const address = `${node.host} ${node.port}`;
    if (asked.has(address)) continue;
    asked.add(address);
    const answer = await askNode(node, config).catch(() => []);
    if (answer.length > 0) return answer;
  }
  return [];
}

async function askNode(node: Address, config: RedisConfig): Promise<readonly Master[]> {
  const client = new Redis({
    ...node,
    ...loginOf(config),
    ...tlsOf(config),
    lazyConnect: true,
    disableClientInfo: true,
    enableReadyCheck: false,
    retryStrategy: null,
    connectTimeout: ANSWER_WITHIN_MS,
    commandTimeout: ANSWER_WITHIN_MS,
  });
  client.on("error", () => undefined);
  try {
    const slots = slotsReply.parse(await client.cluster("SLOTS"));
    // A node that does not know its own address leaves it out: then the address at which it was asked is right.
    return slots.map(([from, to, [host, port]]) => ({ from, to, port, host: host || node.host }));
  } finally {
    client.disconnect();
  }
}

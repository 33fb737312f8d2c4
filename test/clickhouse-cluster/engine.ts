// An embedded ClickHouse that is a cluster of its own, and a server before it that brings what the engine cannot run
// into a form that it can.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { MIB } from "../../schemas/units.ts";
import type { GatewayOptions } from "../../services/embedded/clickhouse-gateway/options.ts";
import { freePort, LOOPBACK } from "../../services/embedded/tools/free-port.ts";
import { probeHttp } from "../../services/embedded/tools/probe.ts";
import { until } from "../support/running/processes.ts";
import { scratchDir } from "../support/running/scratch-dir.ts";
import { inLocalNames, plainForm } from "./plain-form.ts";
import { filtersOf } from "./stand-in-shards.ts";

const GATEWAY = fileURLToPath(new URL("../../services/embedded/clickhouse-gateway/main.ts", import.meta.url));
const CLUSTER = "tracklog";
const MEMORY_BYTES = 4 * 1024 ** 3;
const USER = "default";
/** The gateway's own: parameters may be in the address. */
const MAX_HEADER_BYTES = MIB + 16_384;

export interface ClusterEngine {
  /** The variables that lead to it. */
  readonly env: Readonly<
    Record<"CLICKHOUSE_URL" | "CLICKHOUSE_USER" | "CLICKHOUSE_PASSWORD" | "CLICKHOUSE_CLUSTER", string>
  >;
  stop(): Promise<void>;
}

export async function startClusterEngine(shards: number): Promise<ClusterEngine> {
  const dataDir = await scratchDir("tracklog-cluster-");
  const [port, tcpPort] = [await freePort(), await freePort()];
  const options: GatewayOptions = {
    ...{ dataDir, port, user: USER, password: USER, maxMemoryBytes: MEMORY_BYTES },
    moreConfig: clusterConfig(tcpPort, shards),
  };
  const gateway = spawn(process.execPath, [GATEWAY], {
    env: { ...process.env, UV_THREADPOOL_SIZE: "16" },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  gateway.send(options);
  const target = `http://${LOOPBACK}:${port}`;
  await until(() =>
    probeHttp(`${target}/ping`).then(
      () => true,
      () => false,
    ),
  );
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES },
    (asked, answer) => void forward(asked, answer, target, shards),
  );
  server.listen(0, LOOPBACK);
  await once(server, "listening");
  const address = server.address();
  const own = typeof address === "object" ? address?.port : undefined;
  return {
    env: {
      CLICKHOUSE_URL: `http://${LOOPBACK}:${own}`,
      CLICKHOUSE_USER: USER,
      CLICKHOUSE_PASSWORD: USER,
      CLICKHOUSE_CLUSTER: CLUSTER,
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      const gone = once(gateway, "exit");
      gateway.kill("SIGTERM");
      await gone;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * The engine opens no port. With its own address in the configuration, it takes the shards for itself and connects to
 * none.
 */
function clusterConfig(tcpPort: number, shards: number): string {
  const shard = `<shard><internal_replication>true</internal_replication>
    <replica><host>${LOOPBACK}</host><port>${tcpPort}</port></replica></shard>`;
  return `<tcp_port>${tcpPort}</tcp_port>
  <remote_servers><${CLUSTER}>${shard.repeat(shards)}</${CLUSTER}></remote_servers>`;
}

async function forward(asked: IncomingMessage, answer: ServerResponse, target: string, shards: number): Promise<void> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk);
    const url = new URL(asked.url ?? "/", target);
    const body = rewritten(Buffer.concat(chunks), asked, url);
    if (url.pathname === "/" || url.searchParams.size > 0) addSettings(url, shards);
    const { "content-length": _, "transfer-encoding": _encoding, ...headers } = asked.headers;
    const sent = request(url, { method: asked.method, headers: { ...headers, "content-length": body.length } });
    answer.on("close", () => sent.destroy());
    sent.end(body);
    const [got]: IncomingMessage[] = await once(sent, "response");
    if (got === undefined) return;
    answer.writeHead(got.statusCode ?? 500, got.headers);
    // Each chunk is passed on by itself, because the client recognises an error in the middle of rows only in a chunk
    // of its own.
    for await (const chunk of got) answer.write(chunk);
    answer.end();
  } catch (error) {
    answer.destroy(error instanceof Error ? error : undefined);
  }
}

/** Statements are the whole body. Rows of inserts, and forms with parameters, pass as they are. */
function rewritten(body: Buffer, { headers }: IncomingMessage, url: URL): Buffer {
  const isForm = (headers["content-type"] ?? "").startsWith("multipart/form-data");
  if (isForm || url.searchParams.has("query") || headers["content-encoding"] !== undefined) return body;
  return Buffer.from(inLocalNames(plainForm(body.toString())));
}

function addSettings({ searchParams }: URL, shards: number): void {
  // Otherwise the engine would connect to itself, and it listens on no port.
  searchParams.set("prefer_localhost_replica", "1");
  const database = searchParams.get("database");
  if (shards === 1 || database === null) return;
  searchParams.set("additional_table_filters", filtersOf(database, shards));
  // The shards' parts of an insert come to one table. With one token, it would take the second part for a repetition;
  // without one, it would take rows that were dropped and come again for a repetition.
  searchParams.set("deduplicate_insert", "disable");
}

// Answers the operator's probes, and Prometheus, on a port of its own. The public port cannot answer while the process
// starts, and most processes have none.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Part } from "../lifecycle.ts";
import type { Log } from "../log.ts";
import { metricsText, metricsType, metricText } from "../metrics/define.ts";
import { createReadiness } from "../readiness.ts";
import { isProbePassed, PROBES } from "./probes.ts";

export interface OpsServerOptions {
  readonly host: string;
  /** Port 0 means any free one; the log names it. */
  readonly port: number;
  readonly log: Log;
}

export interface OpsServer extends Part {
  /**
   * Must be the last part of the process: ready when all others have started, and no longer ready when the first one
   * stops.
   */
  readonly readiness: Part;
  /** Returns `http://host:port` after the start. */
  url(): string;
}

/** A probe sends its request as soon as it is connected: beyond this number of connections the oldest one is closed. */
const MAX_CONNECTIONS = 50;
const REQUEST_TIMEOUT_MS = 1_000;
const MAX_HEADER_BYTES = 8 * 1024;
/** With `?name[]=`, as other exporters have it, the answer is one metric, which costs much less than all. */
const METRICS_PATH = /^\/metrics(?:\?name(?:\[\]|%5B%5D)=(?<name>\w{1,100}))?$/i;

export function createOpsServer({ host, port, log }: OpsServerOptions): OpsServer {
  const readiness = createReadiness(0);
  const limits = {
    headersTimeout: REQUEST_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: REQUEST_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  const server = createServer(limits, (request, response) => {
    answer(request, response, { isReady: readiness.isReady, log });
  });
  const connections = new Set<Socket>();
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
    const [oldest] = connections;
    if (connections.size > MAX_CONNECTIONS) oldest?.destroy();
  });
  const url = () => urlOf(server.address());

  return {
    name: "ops server",
    url,
    readiness,
    async start() {
      server.listen({ host, port });
      await once(server, "listening");
      log.info({ url: url() }, "ops server listens");
    },
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Answering {
  readonly isReady: () => boolean;
  readonly log: Log;
}

function answer({ method, url }: IncomingMessage, response: ServerResponse, { isReady, log }: Answering): void {
  const probe = PROBES.find((path) => path === url);
  // Closing the connection avoids reading a body; no request here has one.
  const headers = { "content-type": "text/plain; charset=utf-8", connection: "close" };
  const metrics = METRICS_PATH.exec(url ?? "");
  if (probe === undefined && metrics === null) response.writeHead(404, headers).end();
  else if (method !== "GET" && method !== "HEAD") response.writeHead(405, { ...headers, allow: "GET, HEAD" }).end();
  else if (probe === undefined) void answerMetrics(response, metrics?.groups?.["name"], log);
  else {
    const isPassed = isProbePassed(probe, isReady);
    response.writeHead(isPassed ? 200 : 503, headers).end(isPassed ? "ok\n" : "not ready\n");
  }
}

/** Never rejects, so no caller has to await it: a gauge that cannot be read must not end the process. */
async function answerMetrics(response: ServerResponse, name: string | undefined, log: Log): Promise<void> {
  try {
    const text = await (name === undefined ? metricsText() : metricText(name));
    response.writeHead(200, { "content-type": metricsType, connection: "close" }).end(text);
  } catch (error) {
    log.error({ err: error }, "cannot read the metrics");
    response.writeHead(500, { connection: "close" }).end();
  }
}

function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === "string") throw new Error("the ops server does not listen");
  return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
}

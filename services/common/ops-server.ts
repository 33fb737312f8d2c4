// Answers the operator's probes on a port of its own: /livez and /readyz. The public port cannot answer while the
// process starts, and most processes have none.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Part } from "./lifecycle.ts";
import type { Log } from "./log.ts";

export interface OpsServerOptions {
  readonly host: string;
  /** 0: any free one; the log says which. */
  readonly port: number;
  readonly log: Log;
}

export interface OpsServer extends Part {
  /** The last part of the process: ready when all others have started, and not any more when the first one stops. */
  readonly readiness: Part;
  /** `http://host:port`, once started. */
  url(): string;
}

/** A probe asks as soon as it is connected: beyond so many connections the oldest one is closed. */
const MAX_CONNECTIONS = 50;
const REQUEST_TIMEOUT_MS = 1_000;
const MAX_HEADER_BYTES = 8 * 1024;

interface Reply {
  readonly status: number;
  readonly text: string;
}

export function createOpsServer({ host, port, log }: OpsServerOptions): OpsServer {
  let ready = false;
  const replies: Readonly<Record<string, () => Reply>> = {
    "/livez": () => ({ status: 200, text: "alive" }),
    "/readyz": () => (ready ? { status: 200, text: "ready" } : { status: 503, text: "not ready" }),
  };
  const limits = {
    headersTimeout: REQUEST_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: REQUEST_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  const server = createServer(limits, (request, response) => answer(request, response, replies));
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
    readiness: {
      name: "readiness",
      start: async () => {
        ready = true;
      },
      stop: async () => {
        ready = false;
      },
    },
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

function answer(request: IncomingMessage, response: ServerResponse, replies: Readonly<Record<string, () => Reply>>) {
  const { method, url = "" } = request;
  const reply = Object.hasOwn(replies, url) ? replies[url] : undefined;
  // A body would have to be read; no question has one.
  const headers = { "content-type": "text/plain; charset=utf-8", connection: "close" };
  if (reply === undefined) return response.writeHead(404, headers).end();
  if (method !== "GET" && method !== "HEAD") return response.writeHead(405, { ...headers, allow: "GET, HEAD" }).end();
  const { status, text } = reply();
  return response.writeHead(status, headers).end(`${text}\n`);
}

function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === "string") throw new Error("the ops server does not listen");
  return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
}

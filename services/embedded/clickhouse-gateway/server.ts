import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { MIB } from "../../../schemas/units.ts";
import { untilSo } from "../../common/loop.ts";
import { createTurns } from "../../common/turns.ts";
import { authorize } from "./authorize.ts";
import { answerFailure } from "./failure.ts";
import type { GatewayOptions } from "./options.ts";
import { readRequest } from "./request.ts";
import { type RunContext, runRequest } from "./run-request.ts";

export interface Gateway {
  readonly server: Server;
  /** Stops accepting, lets running requests end within drainMs, then kills them. */
  close(drainMs: number): Promise<void>;
}

/** Each running request holds a thread of libuv's pool of 16, and the KILL that may end it a second one. */
const MAX_RUNNING = 6;
/** A server accepts URLs of 1 MiB; they may hold parameters. */
const MAX_HEADER_BYTES = MIB + 16_384;
/** The same as a server's; clients give up idle connections earlier. */
const KEEP_ALIVE_MS = 10_000;
const KILL_WAIT_MS = 300;
const IDLE_POLL_MS = 10;

export function createGateway(context: RunContext, options: GatewayOptions): Gateway {
  const turns = createTurns(MAX_RUNNING);
  const running = new Set<ServerResponse>();

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    running.add(response);
    // A client that leaves while its answer is being sent must not end the process.
    response.on("error", () => {});
    try {
      response.setHeader("X-ClickHouse-Query-Id", randomUUID());
      if (request.url === "/ping") return void response.end("Ok.\n");
      authorize(request, options);
      const sqlRequest = await readRequest(request);
      const asked = sqlRequest.fields.get("query_id");
      if (asked !== undefined) response.setHeader("X-ClickHouse-Query-Id", asked);
      await turns.run(async () => {
        if (!response.destroyed) await runRequest(context, sqlRequest, response);
      });
    } catch (error) {
      await answerFailure(response, error);
    } finally {
      running.delete(response);
    }
  };

  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES },
    (request, response) => void handle(request, response),
  );
  server.keepAliveTimeout = KEEP_ALIVE_MS;

  return {
    server,
    close: async (drainMs) => {
      server.close();
      server.closeIdleConnections();
      const isIdle = () => running.size === 0;
      await untilSo(isIdle, { pauseMs: IDLE_POLL_MS, withinMs: drainMs });
      for (const response of running) response.destroy();
      await untilSo(isIdle, { pauseMs: IDLE_POLL_MS, withinMs: KILL_WAIT_MS });
      server.closeAllConnections();
    },
  };
}

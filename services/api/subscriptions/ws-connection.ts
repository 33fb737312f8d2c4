// One WebSocket of the graphql-transport-ws protocol.
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { RawData, WebSocket } from "ws";
import { TOKEN_ID, TOKEN_VALUE } from "../../../projections/catalog/tokens.ts";
import { AppError, messageOf } from "../../../schemas/errors.ts";
import type { Principal } from "../graphql/context.ts";
import type { Client, TransportDeps } from "./transport.ts";
import { type ClientMessage, closeCodes, readMessage } from "./ws-messages.ts";
import { createWsOperations } from "./ws-operations.ts";
import { createWire, SLOW_CLOSE_GRACE_MS } from "./ws-wire.ts";

/** Longest message of a client that has not sent a token yet. */
const INIT_BYTES = 16 * 1024;

export function serveConnection(ws: WebSocket, socket: Duplex, deps: TransportDeps): Client {
  const wire = createWire(ws, socket);
  const log = deps.log.child({ client: addressOf(socket) });
  const connection = createConnection(wire, { ...deps, log }, () => deps.clients.admit(client));
  let answered = true;

  ws.on("message", (data, isBinary) => {
    connection.receive(data, isBinary);
    if (!wire.closing && wire.full()) ws.pause();
  });
  ws.on("pong", () => {
    answered = true;
  });
  ws.on("error", (error) => deps.log.debug({ err: messageOf(error) }, "websocket error"));
  ws.on("close", connection.over);
  socket.on("drain", () => {
    // The client reads, so it is alive: the ping may still be on its way behind other data.
    answered = true;
    ws.resume();
    connection.flush();
  });

  const client: Client = {
    keepAlive() {
      if (!wire.isOpen) return;
      const isGone = !answered;
      answered = false;
      if (isGone)
        connection.close(closeCodes.noAnswer, "No answer to a ping: resume with the last cursor", SLOW_CLOSE_GRACE_MS);
      else ws.ping();
    },
    checkToken: connection.checkToken,
    shutDown: () =>
      connection.close(closeCodes.goingAway, "The server stops: reconnect and resume with the last cursor"),
  };
  return client;
}

const addressOf = (socket: Duplex): string =>
  socket instanceof Socket ? `${socket.remoteAddress}:${socket.remotePort}` : "";

/** The protocol, without the socket. */
function createConnection(wire: ReturnType<typeof createWire>, deps: TransportDeps, admit: () => boolean) {
  const { config, log } = deps;
  let check: (() => Principal | AppError) | undefined;
  const operations = createWsOperations({ ...deps, wire, principal, close });
  const initTimer = setTimeout(
    () => close(closeCodes.initTimeout, "Connection initialisation timeout"),
    config.API_SUBSCRIPTION_INIT_TIMEOUT_MS,
  );

  function close(code: number, reason: string, graceMs?: number): void {
    operations.endAll();
    wire.close(code, reason, graceMs);
    // The client may never learn it: after the grace the connection ends without a reason.
    if (graceMs !== undefined) log.info({ code, graceMs }, "closed a client that does not read");
  }

  /** Checked again for every operation, because the token may have been revoked. */
  function principal(): Principal | undefined {
    const found = check?.();
    if (found !== undefined && !(found instanceof AppError)) return found;
    close(closeCodes.unauthorized, "Unauthorized");
    return undefined;
  }

  function init(payload: Readonly<Record<string, unknown>>): void {
    if (check !== undefined) {
      close(closeCodes.tooManyInits, "Too many initialisation requests");
      return;
    }
    const credentials = { id: payload[TOKEN_ID], value: payload[TOKEN_VALUE] };
    check = () => deps.authenticate(credentials);
    if (principal() === undefined) return;
    clearTimeout(initTimer);
    if (admit()) wire.send({ type: "connection_ack" });
    else close(closeCodes.tryAgainLater, "Too many clients: try again later");
  }

  function take(message: ClientMessage | undefined): void {
    switch (message?.type) {
      case undefined:
        close(closeCodes.badRequest, "Invalid message received");
        break;
      case "connection_init":
        init(message.payload);
        break;
      case "ping":
        wire.send(message.payload === undefined ? { type: "pong" } : { type: "pong", payload: message.payload });
        break;
      case "pong":
        break;
      case "subscribe":
        if (check === undefined) close(closeCodes.unauthorized, "Unauthorized");
        else operations.subscribe(message);
        break;
      case "complete":
        operations.complete(message.id);
        break;
      default:
        message satisfies never;
    }
  }

  return {
    close,
    flush: operations.flush,
    receive(data: RawData, isBinary: boolean): void {
      if (wire.closing) return;
      const isTooLong = check === undefined && sizeOf(data) > INIT_BYTES;
      try {
        take(isBinary || isTooLong ? undefined : readMessage(data.toString()));
      } catch (error) {
        // JSON.parse reads values nested too deeply for JSON.stringify. Any error here ends the connection, not the
        // process.
        if (error instanceof RangeError) close(closeCodes.badRequest, "Nested too deeply");
        else {
          log.error({ err: error }, "websocket message failed");
          close(closeCodes.internal, "Internal error");
        }
      }
    },
    checkToken(): void {
      if (!wire.closing && check !== undefined) principal();
    },
    /** The socket is closed. */
    over(): void {
      clearTimeout(initTimer);
      operations.endAll();
    },
  };
}

const sizeOf = (data: RawData): number => (Array.isArray(data) ? Buffer.concat(data) : data).byteLength;

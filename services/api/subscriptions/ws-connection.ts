// One WebSocket of the graphql-transport-ws protocol.
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { RawData, WebSocket } from "ws";
import { TOKEN_ID, TOKEN_VALUE } from "../../../projections/catalog/tokens.ts";
import { AppError, messageOf } from "../../../schemas/errors.ts";
import type { Principal } from "../graphql/context.ts";
import type { SubscriptionClient, TransportDeps } from "./transport.ts";
import { type ClientMessage, closeCodes, parseClientMessage } from "./ws-messages.ts";
import { createWsOperations, type WsOperations } from "./ws-operations.ts";
import { createWire, SLOW_CLOSE_GRACE_MS, type Wire } from "./ws-wire.ts";

/** Maximum bytes of a message from a client that has not sent a token yet. */
const INIT_BYTES = 16 * 1024;

export function serveConnection(ws: WebSocket, socket: Duplex, deps: TransportDeps): SubscriptionClient {
  const wire = createWire(ws, socket);
  const log = deps.log.child({ client: addressOf(socket) });
  const connection = new Connection(wire, { ...deps, log }, () => deps.clients.admit(client));
  let answered = true;

  ws.on("message", (data, isBinary) => {
    connection.receive(data, isBinary);
    if (!wire.closing && wire.full()) ws.pause();
  });
  ws.on("pong", () => {
    answered = true;
  });
  ws.on("error", (error) => deps.log.debug({ err: messageOf(error) }, "websocket error"));
  ws.on("close", () => connection.over());
  socket.on("drain", () => {
    // The client takes data, so it is alive: the ping may still be under way behind other data.
    answered = true;
    ws.resume();
    connection.flush();
  });

  const client: SubscriptionClient = {
    keepAlive() {
      if (!wire.isOpen) return;
      const isGone = !answered;
      answered = false;
      if (isGone)
        connection.close(closeCodes.noAnswer, "No answer to a ping: resume with the last cursor", SLOW_CLOSE_GRACE_MS);
      else ws.ping();
    },
    checkToken: () => connection.checkToken(),
    shutDown: () =>
      connection.close(closeCodes.goingAway, "The server stops: reconnect and resume with the last cursor"),
  };
  return client;
}

const addressOf = (socket: Duplex): string =>
  socket instanceof Socket ? `${socket.remoteAddress}:${socket.remotePort}` : "";

/** The protocol, without the socket. */
class Connection {
  readonly #wire: Wire;
  readonly #deps: TransportDeps;
  readonly #admit: () => boolean;
  readonly #operations: WsOperations;
  readonly #initTimer: NodeJS.Timeout;
  /** Undefined until the client has sent a token. */
  #check: (() => Principal | AppError) | undefined;
  #tokenId = "";

  constructor(wire: Wire, deps: TransportDeps, admit: () => boolean) {
    this.#wire = wire;
    this.#deps = deps;
    this.#admit = admit;
    this.#operations = createWsOperations({
      ...deps,
      wire,
      tokenId: () => this.#tokenId,
      principal: () => this.#principal(),
      close: (code, reason, graceMs) => this.close(code, reason, graceMs),
    });
    this.#initTimer = setTimeout(
      () => this.close(closeCodes.initTimeout, "Connection initialisation timeout"),
      deps.config.API_SUBSCRIPTION_INIT_TIMEOUT_MS,
    );
  }

  receive(data: RawData, isBinary: boolean): void {
    if (this.#wire.closing) return;
    const isTooLong = this.#check === undefined && sizeOf(data) > INIT_BYTES;
    try {
      this.#take(isBinary || isTooLong ? undefined : parseClientMessage(data.toString()));
    } catch (error) {
      // JSON.parse accepts values nested too deeply for JSON.stringify. Any error here ends the connection, not the
      // process.
      if (error instanceof RangeError) this.close(closeCodes.badRequest, "Nested too deeply");
      else {
        this.#deps.log.error({ err: error }, "websocket message failed");
        this.close(closeCodes.internal, "Internal error");
      }
    }
  }

  flush(): void {
    this.#operations.flush();
  }

  checkToken(): void {
    if (!this.#wire.closing && this.#check !== undefined) this.#principal();
  }

  close(code: number, reason: string, graceMs?: number): void {
    this.#operations.endAll();
    this.#wire.close(code, reason, graceMs);
    // The client may never receive the reason: after the grace the connection ends without one.
    if (graceMs !== undefined) this.#deps.log.info({ code, graceMs }, "closed a client that does not read");
  }

  /** Must be called when the socket is closed. */
  over(): void {
    clearTimeout(this.#initTimer);
    this.#operations.endAll();
  }

  #take(message: ClientMessage | undefined): void {
    switch (message?.type) {
      case undefined:
        this.close(closeCodes.badRequest, "Invalid message received");
        break;
      case "connection_init":
        this.#init(message.payload);
        break;
      case "ping":
        this.#wire.send(message.payload === undefined ? { type: "pong" } : { type: "pong", payload: message.payload });
        break;
      case "pong":
        break;
      case "subscribe":
        if (this.#check === undefined) this.close(closeCodes.unauthorized, "Unauthorized");
        else this.#operations.subscribe(message);
        break;
      case "complete":
        this.#operations.complete(message.id);
        break;
      default:
        message satisfies never;
    }
  }

  #init(payload: Readonly<Record<string, unknown>>): void {
    if (this.#check !== undefined) {
      this.close(closeCodes.tooManyInits, "Too many initialisation requests");
      return;
    }
    const credentials = { id: payload[TOKEN_ID], value: payload[TOKEN_VALUE] };
    this.#check = () => this.#deps.authenticate(credentials);
    const principal = this.#principal();
    if (principal === undefined) return;
    this.#tokenId = principal.tokenId;
    clearTimeout(this.#initTimer);
    if (this.#admit()) this.#wire.send({ type: "connection_ack" });
    else this.close(closeCodes.tryAgainLater, "Too many clients: try again later");
  }

  /** Checked again for every operation, because the token may have been revoked. */
  #principal(): Principal | undefined {
    const found = this.#check?.();
    if (found !== undefined && !(found instanceof AppError)) return found;
    this.close(closeCodes.unauthorized, "Unauthorized");
    return undefined;
  }
}

const sizeOf = (data: RawData): number => (Array.isArray(data) ? Buffer.concat(data) : data).byteLength;

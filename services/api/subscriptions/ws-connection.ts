// One WebSocket of the graphql-transport-ws protocol.
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { RawData, WebSocket } from "ws";
import { TOKEN_ID, TOKEN_VALUE } from "../../../projections/catalog/tokens.ts";
import { AppError, messageOf } from "../../../schemas/errors.ts";
import type { Log } from "../../common/log.ts";
import type { Principal } from "../graphql/context.ts";
import type { SubscriptionClient, TransportDeps } from "./transport.ts";
import { type ClientMessage, closeCodes, LINES_PROTOCOL, parseClientMessage } from "./ws-messages.ts";
import { createWsOperations, type WsOperations, type WsPeer } from "./ws-operations.ts";
import { createWire, SLOW_CLOSE_GRACE_MS, type Wire } from "./ws-wire.ts";

/** Maximum bytes of a message from a client that has not sent a token yet. */
const INIT_BYTES = 16 * 1024;

export function serveConnection(ws: WebSocket, socket: Duplex, deps: TransportDeps): SubscriptionClient {
  const connection = new Connection(ws, socket, deps);
  ws.on("message", (data, isBinary) => connection.receive(data, isBinary));
  ws.on("pong", () => connection.answered());
  ws.on("error", (error) => deps.log.debug({ err: messageOf(error) }, "websocket error"));
  ws.on("close", () => connection.over());
  socket.on("drain", () => connection.drained());
  return connection;
}

const addressOf = (socket: Duplex): string =>
  socket instanceof Socket ? `${socket.remoteAddress}:${socket.remotePort}` : "";

/** The protocol. An idle client keeps little in memory, so what only some clients need is created on demand. */
class Connection implements SubscriptionClient, WsPeer {
  readonly wire: Wire;
  readonly #ws: WebSocket;
  readonly #socket: Duplex;
  readonly #deps: TransportDeps;
  readonly #operations: WsOperations;
  #initTimer: NodeJS.Timeout | undefined;
  /** Undefined until the client has sent a token. */
  #credentials: Credentials | undefined;
  #tokenId = "";
  #hasAnswered = true;

  constructor(ws: WebSocket, socket: Duplex, deps: TransportDeps) {
    this.wire = createWire(ws, socket, ws.protocol === LINES_PROTOCOL);
    this.#ws = ws;
    this.#socket = socket;
    this.#deps = deps;
    this.#operations = createWsOperations(deps, this);
    this.#initTimer = setTimeout(
      () => this.close(closeCodes.initTimeout, "Connection initialisation timeout"),
      deps.config.API_SUBSCRIPTION_INIT_TIMEOUT_MS,
    );
  }

  get tokenId(): string {
    return this.#tokenId;
  }

  get log(): Log {
    return this.#deps.log.child({ client: addressOf(this.#socket) });
  }

  keepAlive(): void {
    if (!this.wire.isOpen) return;
    const isGone = !this.#hasAnswered;
    this.#hasAnswered = false;
    if (isGone)
      this.close(closeCodes.noAnswer, "No answer to a ping: resume with the last cursor", SLOW_CLOSE_GRACE_MS);
    else this.#ws.ping();
  }

  shutDown(): void {
    this.close(closeCodes.goingAway, "The server stops: reconnect and resume with the last cursor");
  }

  answered(): void {
    this.#hasAnswered = true;
  }

  drained(): void {
    // The client takes data, so it is alive: the ping may still be under way behind other data.
    this.#hasAnswered = true;
    this.#ws.resume();
    this.#operations.flush();
  }

  receive(data: RawData, isBinary: boolean): void {
    if (this.wire.closing) return;
    this.#read(data, isBinary);
    if (!this.wire.closing && this.wire.full()) this.#ws.pause();
  }

  #read(data: RawData, isBinary: boolean): void {
    const isTooLong = this.#credentials === undefined && sizeOf(data) > INIT_BYTES;
    try {
      this.#take(isBinary || isTooLong ? undefined : parseClientMessage(data.toString()));
    } catch (error) {
      // JSON.parse accepts values nested too deeply for JSON.stringify. Any error here ends the connection, not the
      // process.
      if (error instanceof RangeError) this.close(closeCodes.badRequest, "Nested too deeply");
      else {
        this.log.error({ err: error }, "websocket message failed");
        this.close(closeCodes.internal, "Internal error");
      }
    }
  }

  checkToken(): void {
    if (!this.wire.closing && this.#credentials !== undefined) this.principal();
  }

  close(code: number, reason: string, graceMs?: number): void {
    this.#operations.endAll();
    this.wire.close(code, reason, graceMs);
    // The client may never receive the reason: after the grace the connection ends without one.
    if (graceMs !== undefined) this.log.info({ code, graceMs }, "closed a client that does not read");
  }

  /** Must be called when the socket is closed. */
  over(): void {
    this.#endInit();
    this.#operations.endAll();
    this.#deps.clients.remove(this);
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
        this.wire.send(message.payload === undefined ? { type: "pong" } : { type: "pong", payload: message.payload });
        break;
      case "pong":
        break;
      case "subscribe":
        if (this.#credentials === undefined) this.close(closeCodes.unauthorized, "Unauthorized");
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
    if (this.#credentials !== undefined) {
      this.close(closeCodes.tooManyInits, "Too many initialisation requests");
      return;
    }
    this.#credentials = { id: payload[TOKEN_ID], value: payload[TOKEN_VALUE] };
    const principal = this.principal();
    if (principal === undefined) return;
    this.#tokenId = principal.tokenId;
    this.#endInit();
    if (this.#deps.clients.admit(this)) this.wire.send(ackOf(principal));
    else this.close(closeCodes.tryAgainLater, "Too many clients: try again later");
  }

  #endInit(): void {
    clearTimeout(this.#initTimer);
    this.#initTimer = undefined;
  }

  /** Checked again for every operation, because the token may have been revoked. */
  principal(): Principal | undefined {
    const found = this.#credentials && this.#deps.authenticate(this.#credentials);
    if (found !== undefined && !(found instanceof AppError)) return found;
    this.close(closeCodes.unauthorized, "Unauthorized");
    return undefined;
  }
}

/** A client learns what its token may do, so that it offers nothing that would be refused. */
const ackOf = ({ scopes }: Principal) => ({ type: "connection_ack", payload: { scopes } }) as const;

interface Credentials {
  readonly id: unknown;
  readonly value: unknown;
}

const sizeOf = (data: RawData): number => (Array.isArray(data) ? Buffer.concat(data) : data).byteLength;

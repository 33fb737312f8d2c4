// One WebSocket of the graphql-transport-ws protocol.
import type { Duplex } from "node:stream";
import type { GraphQLFormattedError } from "graphql";
import type { RawData, WebSocket } from "ws";
import { AppError, badInput, messageOf } from "../../common/errors.ts";
import { TOKEN_ID, TOKEN_VALUE } from "../auth.ts";
import type { Principal } from "../context.ts";
import { formatError } from "../errors.ts";
import type { Selection } from "../feed/selection.ts";
import type { Sink } from "../feed/subscriber.ts";
import { textFrame } from "./frames.ts";
import type { Prepared } from "./operations.ts";
import type { TransportDeps } from "./transport.ts";
import { type ClientMessage, closeCodes, readMessage } from "./ws-messages.ts";

export interface Connection {
  /** Closes a connection that did not answer the last call, or whose token has been revoked. */
  keepAlive(): void;
  shutDown(): void;
}

interface Running {
  flush(): void;
  stop(): void;
}

type Subscribe = Extract<ClientMessage, { readonly type: "subscribe" }>;

/** Bytes that may wait in the socket before messages wait in the queues of the subscribers, where they can be merged. */
const CONGESTED_BYTES = 256 * 1024;
/** How long a client that was told to go may take to do so. */
const CLOSE_GRACE_MS = 2_000;
/** For one that reads slowly, or not for a while, and has to read what is under way before it learns why it was closed. */
const SLOW_CLOSE_GRACE_MS = 30_000;
const AFTER = Buffer.from("}");

export function serveConnection(ws: WebSocket, socket: Duplex, deps: TransportDeps): Connection {
  const { config, feed, operations, log } = deps;
  const running = new Map<string, Running>();
  let principal: Principal | undefined;
  let check: (() => Principal | AppError) | undefined;
  let answered = true;
  let corked = false;
  const initTimer = setTimeout(
    () => close(closeCodes.initTimeout, "Connection initialisation timeout"),
    config.API_SUBSCRIPTION_INIT_TIMEOUT_MS,
  );

  function close(code: number, reason: string, graceMs = CLOSE_GRACE_MS): void {
    for (const { stop } of [...running.values()]) stop();
    running.clear();
    ws.close(code, reason);
    setTimeout(() => ws.terminate(), graceMs).unref();
  }

  function send(message: object): void {
    if (ws.readyState === ws.OPEN) ws.send(JSON.stringify(message));
  }

  /** What is written within one turn of the loop goes to the network in one call. */
  function write(frame: Buffer): void {
    if (ws.readyState !== ws.OPEN) return;
    if (!corked) {
      corked = true;
      socket.cork();
      process.nextTick(() => {
        corked = false;
        socket.uncork();
      });
    }
    socket.write(frame);
  }

  function refuse(id: string, errors: readonly GraphQLFormattedError[]): void {
    running.delete(id);
    send({ id, type: "error", payload: errors });
  }

  function init(payload: Readonly<Record<string, unknown>>): void {
    if (check !== undefined) {
      close(closeCodes.tooManyInits, "Too many initialisation requests");
      return;
    }
    const credentials = { id: payload[TOKEN_ID], value: payload[TOKEN_VALUE] };
    check = () => deps.authenticate(credentials);
    const found = check();
    if (found instanceof AppError) {
      close(closeCodes.unauthorized, "Unauthorized");
      return;
    }
    clearTimeout(initTimer);
    principal = found;
    send({ type: "connection_ack" });
  }

  function subscribe({ id, operation, cursor }: Subscribe): void {
    if (principal === undefined) close(closeCodes.unauthorized, "Unauthorized");
    else if (running.has(id)) close(closeCodes.subscriberExists, `Subscriber for ${shorten(id)} already exists`);
    else if (running.size >= config.API_SUBSCRIPTIONS_PER_CONNECTION) {
      refuse(id, [formatError(badInput("this connection has too many subscriptions"), log)]);
    } else begin(id, operations.prepare(operation, principal), cursor);
  }

  function begin(id: string, prepared: Prepared, cursor: unknown): void {
    if (prepared.type === "refused") refuse(id, prepared.errors);
    else if (prepared.type === "subscription") follow(id, prepared.selection, cursor);
    else void runOnce(id, prepared.run);
  }

  function follow(id: string, selection: Selection, cursor: unknown): void {
    const before = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
    const sink: Sink = {
      congested: () => socket.writableLength > CONGESTED_BYTES,
      write: ({ body }) => write(textFrame(before, body, AFTER)),
      end(reason, error) {
        const { congested } = sink;
        refuse(id, [formatError(error, log)]);
        if (reason === "slow" && congested()) {
          close(closeCodes.tooSlow, "Too slow: resume with the last cursor", SLOW_CLOSE_GRACE_MS);
        }
      },
    };
    try {
      running.set(id, feed.subscribe(selection, sink, cursor));
    } catch (error) {
      refuse(id, [formatError(error, log)]);
    }
  }

  async function runOnce(id: string, run: () => Promise<string>): Promise<void> {
    const operation: Running = { flush: () => undefined, stop: () => undefined };
    running.set(id, operation);
    const result = await run().catch((error) => ({ errors: [formatError(error, log)] }));
    // The client may have taken it back, and used the id again.
    if (running.get(id) !== operation || ws.readyState !== ws.OPEN) return;
    if (typeof result !== "string") {
      refuse(id, result.errors);
      return;
    }
    running.delete(id);
    ws.send(`{"id":${JSON.stringify(id)},"type":"next","payload":${result}}`);
    send({ id, type: "complete" });
  }

  function receive(data: RawData, isBinary: boolean): void {
    const message = isBinary ? undefined : readMessage(data.toString());
    switch (message?.type) {
      case undefined:
        close(closeCodes.badRequest, "Invalid message received");
        break;
      case "connection_init":
        init(message.payload);
        break;
      case "ping":
        send(message.payload === undefined ? { type: "pong" } : { type: "pong", payload: message.payload });
        break;
      case "pong":
        break;
      case "subscribe":
        subscribe(message);
        break;
      case "complete":
        running.get(message.id)?.stop();
        running.delete(message.id);
        break;
      default:
        message satisfies never;
    }
  }

  ws.on("message", receive);
  ws.on("pong", () => {
    answered = true;
  });
  ws.on("error", (error) => log.debug({ err: messageOf(error) }, "websocket error"));
  socket.on("drain", () => {
    // It reads: the ping may still be on its way behind what waits.
    answered = true;
    for (const { flush } of [...running.values()]) flush();
  });
  ws.on("close", () => {
    clearTimeout(initTimer);
    for (const { stop } of [...running.values()]) stop();
    running.clear();
  });

  return {
    keepAlive() {
      if (ws.readyState !== ws.OPEN) return;
      const isGone = !answered;
      answered = false;
      if (isGone) close(closeCodes.noAnswer, "No answer to a ping: resume with the last cursor", SLOW_CLOSE_GRACE_MS);
      else if (principal !== undefined && check?.() instanceof AppError) close(closeCodes.unauthorized, "Unauthorized");
      else ws.ping();
    },
    shutDown: () => close(closeCodes.goingAway, "The server stops: reconnect and resume with the last cursor"),
  };
}

/** The reason of a close frame holds 123 bytes. */
const shorten = (id: string): string => Buffer.from(id).subarray(0, 64).toString();

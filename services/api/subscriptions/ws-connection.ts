// One WebSocket of the graphql-transport-ws protocol.
import type { Duplex } from "node:stream";
import type { GraphQLFormattedError } from "graphql";
import type { RawData, WebSocket } from "ws";
import { AppError, badInput, messageOf, unavailable } from "../../../schemas/errors.ts";
import type { Selection } from "../feed/selection.ts";
import type { Sink } from "../feed/subscriber.ts";
import type { Principal } from "../graphql/context.ts";
import type { Operation } from "../graphql/engine.ts";
import { formatError } from "../graphql/errors.ts";
import { TOKEN_ID, TOKEN_VALUE } from "../http/auth.ts";
import { textFrame } from "./frames.ts";
import { createOperationQueue } from "./operation-queue.ts";
import type { Prepared } from "./operations.ts";
import type { Client, TransportDeps } from "./transport.ts";
import { type ClientMessage, closeCodes, readMessage } from "./ws-messages.ts";

interface Running {
  flush(): void;
  stop(): void;
}

type Subscribe = Extract<ClientMessage, { readonly type: "subscribe" }>;

/** Bytes that may wait in the socket before messages wait in the queues of the subscribers, where they can be merged. */
const CONGESTED_BYTES = 256 * 1024;
/** With so much waiting nothing more is read of a client that asks without reading: its refusals and pongs would pile up. */
const FULL_BYTES = 1024 * 1024;
/** Longest message of somebody who has not shown a token yet. */
const INIT_BYTES = 16 * 1024;
/** How long a client that was told to go may take to do so. */
const CLOSE_GRACE_MS = 2_000;
/** For one that reads slowly, or not for a while, and has to read what is under way before it learns why it was closed. */
const SLOW_CLOSE_GRACE_MS = 30_000;
const RETRY_AFTER_MS = 1_000;
const AFTER = Buffer.from("}");

export function serveConnection(ws: WebSocket, socket: Duplex, deps: TransportDeps): Client {
  const { config, feed, operations, log } = deps;
  /** By id, all operations of the client that have not ended. */
  const running = new Map<string, Running>();
  const subscriptions = new Set<string>();
  const congested = () => socket.writableLength > CONGESTED_BYTES;
  const queue = createOperationQueue({
    maxRunning: config.API_SUBSCRIPTION_OPERATIONS,
    maxWaiting: config.API_SUBSCRIPTION_OPERATIONS_WAITING,
    maxBytes: config.API_SUBSCRIPTION_OPERATIONS_BYTES,
    congested,
  });
  let check: (() => Principal | AppError) | undefined;
  let closing = false;
  let answered = true;
  let corked = false;
  const initTimer = setTimeout(
    () => close(closeCodes.initTimeout, "Connection initialisation timeout"),
    config.API_SUBSCRIPTION_INIT_TIMEOUT_MS,
  );

  function endAll(): void {
    for (const { stop } of [...running.values()]) stop();
    running.clear();
    subscriptions.clear();
    queue.clear();
  }

  /** From here on, what the client sends is ignored. */
  function close(code: number, reason: string, graceMs = CLOSE_GRACE_MS): void {
    closing = true;
    endAll();
    ws.close(code, reason);
    // Its own close is to be seen.
    ws.resume();
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

  function forget(id: string): void {
    running.delete(id);
    subscriptions.delete(id);
  }

  function refuse(id: string, errors: readonly GraphQLFormattedError[]): void {
    forget(id);
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
    send({ type: "connection_ack" });
  }

  function subscribe(asked: Subscribe): void {
    const { id, operation } = asked;
    if (check === undefined) close(closeCodes.unauthorized, "Unauthorized");
    else if (running.has(id)) close(closeCodes.subscriberExists, `Subscriber for ${shorten(id)} already exists`);
    else if (operations.isSubscription(operation)) subscribeNow(asked);
    else enqueue(asked);
  }

  function subscribeNow({ id, operation, cursor }: Subscribe): void {
    if (subscriptions.size >= config.API_SUBSCRIPTIONS_PER_CONNECTION) {
      refuse(id, [formatError(badInput("this connection has too many subscriptions"), log)]);
      return;
    }
    const prepared = prepare(operation);
    if (prepared?.type === "refused") refuse(id, prepared.errors);
    else if (prepared?.type === "subscription") follow(id, prepared.selection, cursor);
  }

  function enqueue({ id, operation, text }: Subscribe): void {
    let read: Operation | undefined = operation;
    const gone = new AbortController();
    const asked: Running = { flush: () => undefined, stop: () => gone.abort() };
    running.set(id, asked);
    const run = async () => {
      // The client may have taken it back, and used the id again.
      const isWanted = () => running.get(id) === asked && ws.readyState === ws.OPEN;
      if (isWanted()) await runOnce(id, read ?? operationIn(text), gone.signal, isWanted);
    };
    const isTaken = queue.add(id, { bytes: text.length, run });
    // What has to wait does so as text: as values it may take ten times as much.
    read = undefined;
    if (!isTaken)
      refuse(id, [formatError(unavailable("too many operations wait on this connection", RETRY_AFTER_MS), log)]);
  }

  /** What the token allows now; undefined = it is not valid any more, and the connection is being closed. */
  function prepare(operation: Operation): Prepared | undefined {
    const principal = check?.();
    if (principal !== undefined && !(principal instanceof AppError)) return operations.prepare(operation, principal);
    close(closeCodes.unauthorized, "Unauthorized");
    return undefined;
  }

  function follow(id: string, selection: Selection, cursor: unknown): void {
    const before = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
    const sink: Sink = {
      congested,
      write: ({ body }) => write(textFrame(before, body, AFTER)),
      end(reason, error) {
        refuse(id, [formatError(error, log)]);
        if (reason === "slow" && congested()) {
          close(closeCodes.tooSlow, "Too slow: resume with the last cursor", SLOW_CLOSE_GRACE_MS);
        }
      },
    };
    try {
      running.set(id, feed.subscribe(selection, sink, cursor));
      subscriptions.add(id);
    } catch (error) {
      refuse(id, [formatError(error, log)]);
    }
  }

  async function runOnce(
    id: string,
    operation: Operation,
    signal: AbortSignal,
    isWanted: () => boolean,
  ): Promise<void> {
    const prepared = prepare(operation);
    if (prepared === undefined || prepared.type === "subscription") return;
    if (prepared.type === "refused") {
      refuse(id, prepared.errors);
      return;
    }
    const result = await prepared.run(signal).catch((error) => ({ errors: [formatError(error, log)] }));
    if (!isWanted()) return;
    if (typeof result !== "string") {
      refuse(id, result.errors);
      return;
    }
    forget(id);
    ws.send(`{"id":${JSON.stringify(id)},"type":"next","payload":${result}}`);
    send({ id, type: "complete" });
  }

  function receive(data: RawData, isBinary: boolean): void {
    if (closing) return;
    const isTooLong = check === undefined && sizeOf(data) > INIT_BYTES;
    const message = isBinary || isTooLong ? undefined : readMessage(data.toString());
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
        queue.remove(message.id);
        forget(message.id);
        break;
      default:
        message satisfies never;
    }
  }

  ws.on("message", (data, isBinary) => {
    try {
      receive(data, isBinary);
    } catch (error) {
      // JSON may be read that is too deep to be written again. Whatever it is: it ends this connection, not the process.
      if (error instanceof RangeError) close(closeCodes.badRequest, "Nested too deeply");
      else {
        log.error({ err: error }, "websocket message failed");
        close(closeCodes.internal, "Internal error");
      }
    }
    if (!closing && socket.writableLength > FULL_BYTES) ws.pause();
  });
  ws.on("pong", () => {
    answered = true;
  });
  ws.on("error", (error) => log.debug({ err: messageOf(error) }, "websocket error"));
  socket.on("drain", () => {
    // It reads: the ping may still be on its way behind what waits.
    answered = true;
    ws.resume();
    for (const { flush } of [...running.values()]) flush();
    queue.flush();
  });
  ws.on("close", () => {
    clearTimeout(initTimer);
    closing = true;
    endAll();
  });

  return {
    keepAlive() {
      if (ws.readyState !== ws.OPEN) return;
      const isGone = !answered;
      answered = false;
      if (isGone) close(closeCodes.noAnswer, "No answer to a ping: resume with the last cursor", SLOW_CLOSE_GRACE_MS);
      else ws.ping();
    },
    checkToken() {
      if (!closing && check?.() instanceof AppError) close(closeCodes.unauthorized, "Unauthorized");
    },
    shutDown: () => close(closeCodes.goingAway, "The server stops: reconnect and resume with the last cursor"),
  };
}

/** Of a message that was read as a subscribe before. */
function operationIn(text: string): Operation {
  const message = readMessage(text);
  if (message?.type !== "subscribe") throw new Error("a message was read in two ways");
  return message.operation;
}

const sizeOf = (data: RawData): number => (Array.isArray(data) ? Buffer.concat(data) : data).byteLength;

/** The reason of a close frame holds 123 bytes. */
const shorten = (id: string): string => Buffer.from(id).subarray(0, 64).toString();

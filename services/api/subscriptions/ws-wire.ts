// The writing side of a WebSocket: messages, frames made elsewhere, and the end.
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

export interface Wire {
  readonly isOpen: boolean;
  /** From here on, what the client sends is ignored. */
  readonly closing: boolean;
  send(message: object): void;
  sendText(text: string): void;
  /** What is written within one turn of the loop goes to the network in one call. */
  write(frame: Buffer): void;
  /** What was written waits to be taken by the network. */
  congested(): boolean;
  /** So much waits that no more is to be read. */
  full(): boolean;
  /** `graceMs`: how long the client may take to read what is under way, and then why. */
  close(code: number, reason: string, graceMs?: number): void;
}

/** Bytes that may wait in the socket before messages wait in the queues of the subscribers, where they can be merged. */
const CONGESTED_BYTES = 256 * 1024;
/** With so much waiting nothing more is read of a client that asks without reading: its refusals and pongs would pile up. */
const FULL_BYTES = 1024 * 1024;
/** How long a client that was told to go may take to do so. */
const CLOSE_GRACE_MS = 2_000;
/** For one that reads slowly, or not for a while, and has to read what is under way before it learns why it was closed. */
export const SLOW_CLOSE_GRACE_MS = 30_000;

export function createWire(ws: WebSocket, socket: Duplex): Wire {
  let closing = false;
  let corked = false;

  function uncork(): void {
    corked = false;
    socket.uncork();
  }

  function sendText(text: string): void {
    if (ws.readyState === ws.OPEN) ws.send(text);
  }

  return {
    get isOpen() {
      return ws.readyState === ws.OPEN;
    },
    get closing() {
      return closing || ws.readyState !== ws.OPEN;
    },
    send: (message) => sendText(JSON.stringify(message)),
    sendText,
    write(frame) {
      if (ws.readyState !== ws.OPEN) return;
      if (!corked) {
        corked = true;
        socket.cork();
        process.nextTick(uncork);
      }
      socket.write(frame);
    },
    congested: () => socket.writableLength > CONGESTED_BYTES,
    full: () => socket.writableLength > FULL_BYTES,
    close(code, reason, graceMs = CLOSE_GRACE_MS) {
      closing = true;
      ws.close(code, reason);
      // The client's own close frame must be read.
      ws.resume();
      setTimeout(() => ws.terminate(), graceMs).unref();
    },
  };
}

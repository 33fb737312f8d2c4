// The writing side of a WebSocket: messages, prepared frames, and the end.
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { MIB } from "../../../schemas/units.ts";

export interface Wire {
  readonly isOpen: boolean;
  /** When true, further messages of the client are ignored. */
  readonly closing: boolean;
  send(message: object): void;
  sendText(text: string): void;
  /** Frames written within one turn of the loop go to the network in one call. */
  write(frame: Buffer): void;
  /** @returns true while the network has not taken all written data. */
  congested(): boolean;
  /** @returns true while so much waits that the connection must read no more. */
  full(): boolean;
  /** `graceMs` is the time that the client may take to read the data under way and the reason. */
  close(code: number, reason: string, graceMs?: number): void;
}

/** Bytes that may wait in the socket; further messages wait in the subscribers' queues, where they can be merged. */
const CONGESTED_BYTES = 256 * 1024;
/** Beyond this, a client that sends without reading is no longer read: its refusals and pongs would pile up. */
const FULL_BYTES = MIB;
/** Milliseconds that a client may take to close after the close frame. */
const CLOSE_GRACE_MS = 2_000;
/** The same for a client that reads slowly: it must read the data under way before it receives the reason. */
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
      // Resumes reading, because the client's own close frame must be read.
      ws.resume();
      setTimeout(() => ws.terminate(), graceMs).unref();
    },
  };
}

const FIN_TEXT = 0x81;

/**
 * Returns a text frame (RFC 6455, 5.2) of a server: one piece, not masked. It is written whole and straight to the
 * socket, so it may come between frames of the ws library; extensions must be off for that.
 */
export function textFrame(before: Buffer, body: Buffer, after: Buffer): Buffer {
  const length = before.length + body.length + after.length;
  const start = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = FIN_TEXT;
  if (start === 2) frame[1] = length;
  else if (start === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  before.copy(frame, start);
  body.copy(frame, start + before.length);
  after.copy(frame, start + before.length + body.length);
  return frame;
}

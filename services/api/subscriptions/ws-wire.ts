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

export const createWire = (ws: WebSocket, socket: Duplex): Wire => new SocketWire(ws, socket);

/** A class, because each client has one: an object with functions of its own takes ten times as much memory. */
class SocketWire implements Wire {
  readonly #ws: WebSocket;
  readonly #socket: Duplex;
  #isClosing = false;
  #isCorked = false;

  constructor(ws: WebSocket, socket: Duplex) {
    this.#ws = ws;
    this.#socket = socket;
  }

  static readonly #uncork = (wire: SocketWire): void => {
    wire.#isCorked = false;
    wire.#socket.uncork();
  };

  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN;
  }

  get closing(): boolean {
    return this.#isClosing || !this.isOpen;
  }

  send(message: object): void {
    this.sendText(JSON.stringify(message));
  }

  sendText(text: string): void {
    if (this.isOpen) this.#ws.send(text);
  }

  write(frame: Buffer): void {
    if (!this.isOpen) return;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#socket.cork();
      process.nextTick(SocketWire.#uncork, this);
    }
    this.#socket.write(frame);
  }

  congested(): boolean {
    return this.#socket.writableLength > CONGESTED_BYTES;
  }

  full(): boolean {
    return this.#socket.writableLength > FULL_BYTES;
  }

  close(code: number, reason: string, graceMs = CLOSE_GRACE_MS): void {
    this.#isClosing = true;
    this.#ws.close(code, reason);
    // Resumes reading, because the client's own close frame must be read.
    this.#ws.resume();
    setTimeout(() => this.#ws.terminate(), graceMs).unref();
  }
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

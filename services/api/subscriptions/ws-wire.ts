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
  /**
   * Writes the parts as one message. Messages written within one turn of the loop go to the network in one call, and in
   * one frame if the client takes lines.
   */
  write(before: Buffer, body: Buffer, after: Buffer): void;
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

/** @param takesLines is true for a client that takes several messages in one frame, each in a line of its own. */
export const createWire = (ws: WebSocket, socket: Duplex, takesLines: boolean): Wire =>
  takesLines ? new LinesWire(ws, socket) : new SocketWire(ws, socket);

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

  write(before: Buffer, body: Buffer, after: Buffer): void {
    if (!this.isOpen) return;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#socket.cork();
      process.nextTick(SocketWire.#uncork, this);
    }
    this.#socket.write(textFrame(before, body, after));
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

/** A frame of several lines is no larger. */
const FRAME_BYTES = 64 * 1024;
const LINE_END = Buffer.from("\n");
const NOTHING = Buffer.alloc(0);

class LinesWire extends SocketWire {
  #lines: Buffer[] = [];
  #bytes = 0;

  static readonly #flush = (wire: LinesWire): void => wire.#writeLines();

  override write(before: Buffer, body: Buffer, after: Buffer): void {
    const bytes = before.length + body.length + after.length + LINE_END.length;
    if (this.#bytes + bytes > FRAME_BYTES) this.#writeLines();
    if (this.#lines.length === 0) process.nextTick(LinesWire.#flush, this);
    else this.#lines.push(LINE_END);
    this.#lines.push(before, body, after);
    this.#bytes += bytes;
  }

  override sendText(text: string): void {
    this.#writeLines();
    super.sendText(text);
  }

  override close(code: number, reason: string, graceMs?: number): void {
    this.#writeLines();
    super.close(code, reason, graceMs);
  }

  #writeLines(): void {
    if (this.#lines.length === 0) return;
    const lines = Buffer.concat(this.#lines);
    this.#lines = [];
    this.#bytes = 0;
    super.write(NOTHING, lines, NOTHING);
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

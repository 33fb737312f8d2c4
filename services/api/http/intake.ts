// Lets requests in by small portions, because a turn of the event loop with many requests delays everything else, above
// all the answers of the log. The others wait in line, and requests without room in the line are refused at once.
// Bodies that arrive slowly keep their room until they are complete.
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline, type Readable, Transform } from "node:stream";
import { unavailable } from "../../../schemas/errors.ts";

export interface Intake {
  /** Calls `letIn` now or in a later turn, unless the client is gone by then. False = no room: refuse the request. */
  offer(request: IncomingMessage, response: ServerResponse, letIn: () => void): boolean;
  /** `bytes` of an unannounced body have arrived so far. False = no room for them: refuse the request. */
  grown(request: IncomingMessage, bytes: number): boolean;
  /** The body is complete: its room is free for others. */
  received(request: IncomingMessage): void;
  /** The room that operations over a WebSocket take. */
  readonly room: Room;
}

/** Room among the bodies that arrive or wait. */
export interface Room {
  /** False = there is none: the caller must refuse the operation. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
  /** Calls `letIn` now or in a later turn, in line with the requests. */
  turn(bytes: number, letIn: () => void): void;
}

interface Waiting {
  readonly bytes: number;
  /** undefined = it did not come as an HTTP request. */
  readonly response: ServerResponse | undefined;
  readonly letIn: () => void;
}

const RETRY_AFTER_MS = 1_000;
/** Bytes let in per turn: about ten milliseconds of work. */
const TURN_BYTES = 256 * 1024;
/** Memory of a request besides its body. */
const OVERHEAD_BYTES = 2 * 1024;
/** A body of at least this size seldom finds room among small ones that keep coming. */
const LARGE_BYTES = 512 * 1024;
/** A body of unannounced length begins with this much room. */
const UNANNOUNCED_BYTES = 256 * 1024;

/** `maxBytes`: bodies in line and arriving, together. Besides them, one large body has a room of its own. */
export function createIntake(maxBytes: number): Intake {
  const held = new Map<IncomingMessage, number>();
  let line: Waiting[] = [];
  let bytes = 0;
  let turnBytes = 0;
  let large: IncomingMessage | undefined;

  /** False: no room. */
  function hold(request: IncomingMessage, own: number): boolean {
    // A single body always has room, else a large one would never be let in.
    if (bytes === 0 || bytes + own <= maxBytes) {
      bytes += own;
      held.set(request, own);
      return true;
    }
    if (own < LARGE_BYTES || large !== undefined) return false;
    large = request;
    return true;
  }

  function release(request: IncomingMessage): void {
    if (large === request) large = undefined;
    bytes -= held.get(request) ?? 0;
    held.delete(request);
  }

  /** One shared function, because every request uses it. */
  function releaseOnClose(this: ServerResponse): void {
    release(this.req);
  }

  function start(waiting: Waiting): void {
    if (turnBytes === 0) setImmediate(nextTurn);
    turnBytes += waiting.bytes;
    if (waiting.response?.destroyed !== true) waiting.letIn();
  }

  function nextTurn(): void {
    turnBytes = 0;
    let next = 0;
    for (; next < line.length && turnBytes < TURN_BYTES; next++) {
      const waiting = line[next];
      if (waiting !== undefined) start(waiting);
    }
    line = line.slice(next);
  }

  function enter(waiting: Waiting): void {
    if (line.length === 0 && turnBytes < TURN_BYTES) start(waiting);
    else line.push(waiting);
  }

  const room: Room = {
    take(wanted) {
      // Like a body, a single operation always has room.
      if (bytes > 0 && bytes + wanted > maxBytes) return false;
      bytes += wanted;
      return true;
    },
    giveBack(taken) {
      bytes -= taken;
    },
    turn: (own, letIn) => enter({ bytes: own, response: undefined, letIn }),
  };

  return {
    room,
    offer(request, response, letIn) {
      const own = sizeOf(request);
      if (!hold(request, own)) return false;
      response.on("close", releaseOnClose);
      enter({ bytes: own, response, letIn });
      return true;
    },
    grown(request, arrived) {
      const own = held.get(request);
      // A body without an entry is in the room for a large one, which has no bound.
      if (own === undefined || arrived + OVERHEAD_BYTES <= own) return true;
      release(request);
      return hold(request, arrived + OVERHEAD_BYTES);
    },
    received: release,
  };
}

function sizeOf({ headers }: IncomingMessage): number {
  const announced = headers["content-length"] ?? (headers["transfer-encoding"] === undefined ? 0 : UNANNOUNCED_BYTES);
  return Number(announced) + OVERHEAD_BYTES;
}

/** Passes the body on as long as there is room for it. */
export function counted(body: Readable, hasRoom: (bytes: number) => boolean): Readable {
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (hasRoom(bytes)) done(null, chunk);
      else done(Object.assign(unavailable("too much is coming in at once", RETRY_AFTER_MS), { statusCode: 503 }));
    },
  });
  // The reader of the returned stream sees the errors of both streams.
  return pipeline(body, counting, () => undefined);
}

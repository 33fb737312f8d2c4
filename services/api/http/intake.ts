// Admits requests in small portions, because a turn of the event loop with many requests delays everything else, above
// all the answers of the log. The others wait in line, and are admitted in turns of their callers. A request that
// exceeds the budget of bytes, or its caller's share of it, is refused immediately. Bodies that arrive slowly count
// against the budget until they are complete.
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline, type Readable, Transform } from "node:stream";
import type { Principal } from "../../../projections/catalog/tokens.ts";
import { unavailable } from "../../../schemas/errors.ts";
import { FairLine } from "../../common/fairness/fair-line.ts";
import { FairShare } from "../../common/fairness/fair-share.ts";

declare module "node:http" {
  interface IncomingMessage {
    /** Set before the request is offered to the intake; absent while the caller is unknown. */
    principal?: Principal;
  }
}

export interface BodyIntake {
  /**
   * Calls `letIn` now or in a later turn, unless the client is gone by then.
   * @returns false when the budget is used up: the request must be refused.
   */
  offer(request: IncomingMessage, response: ServerResponse, letIn: () => void): boolean;
  /**
   * Must be called when `bytes` of an unannounced body have arrived.
   * @returns false when they exceed the budget: the request must be refused.
   */
  grown(request: IncomingMessage, bytes: number): boolean;
  /** Must be called when the body is complete: it then no longer counts against the budget. */
  received(request: IncomingMessage): void;
  /** Returns the budget for the operations of a WebSocket. `caller` is called only once the caller is known. */
  operationsOf(caller: () => string): BodyBudget;
}

/** The budget of bytes for bodies that arrive or wait. */
export interface BodyBudget {
  /** @returns false when the budget is used up: the caller must refuse the operation. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
  /** Calls `letIn` now or in a later turn, in line with the requests. */
  turn(bytes: number, letIn: () => void): void;
}

interface Waiting {
  readonly bytes: number;
  /** Undefined when the operation did not come as an HTTP request. */
  readonly response: ServerResponse | undefined;
  readonly letIn: () => void;
}

/** Bytes admitted per turn: about ten milliseconds of work. */
const TURN_BYTES = 256 * 1024;
/** Memory of a request besides its body. */
const OVERHEAD_BYTES = 2 * 1024;
/**
 * One body of at least this size is admitted beyond the budget. Otherwise small bodies that keep arriving would shut it
 * out.
 */
const LARGE_BYTES = 512 * 1024;
/** Bytes that a body of unannounced length takes from the budget at first. */
const UNANNOUNCED_BYTES = 256 * 1024;
/** The callers without a token share one share. */
const UNKNOWN = "";

const callerOf = ({ principal }: IncomingMessage): string => principal?.tokenId ?? UNKNOWN;

/**
 * `maxBytes` limits the bodies that arrive or wait, together. One large body is admitted besides them. With `isShared`,
 * no caller may use up the budget alone.
 */
export function createBodyIntake(maxBytes: number, isShared = false): BodyIntake {
  const bodies = new ArrivingBodies(maxBytes, isShared);
  const line = new TurnLine();

  /** One shared function, because every request uses it. */
  function releaseOnClose(this: ServerResponse): void {
    bodies.release(this.req);
  }

  return {
    operationsOf: (caller) => ({
      take: (bytes) => bodies.take(caller(), bytes),
      giveBack: (bytes) => bodies.giveBack(caller(), bytes),
      turn: (bytes, letIn) => line.enter(caller(), { bytes, response: undefined, letIn }),
    }),
    offer(request, response, letIn) {
      const bytes = sizeOf(request);
      if (!bodies.hold(request, bytes)) return false;
      response.on("close", releaseOnClose);
      line.enter(callerOf(request), { bytes, response, letIn });
      return true;
    },
    grown: (request, arrived) => bodies.grown(request, arrived + OVERHEAD_BYTES),
    received: (request) => bodies.release(request),
  };
}

/** The bytes of the bodies that arrive or wait. */
class ArrivingBodies {
  readonly #maxBytes: number;
  readonly #share: FairShare;
  readonly #isShared: boolean;
  readonly #held = new Map<IncomingMessage, number>();
  /** The request with a large body beyond the budget. */
  #large: IncomingMessage | undefined;

  constructor(maxBytes: number, isShared: boolean) {
    this.#maxBytes = maxBytes;
    this.#share = new FairShare(maxBytes);
    this.#isShared = isShared;
  }

  /** @returns false when the budget, or the caller's share of it, is used up. */
  hold(request: IncomingMessage, bytes: number): boolean {
    if (this.take(callerOf(request), bytes)) {
      this.#held.set(request, bytes);
      return true;
    }
    if (bytes < LARGE_BYTES || this.#large !== undefined) return false;
    this.#large = request;
    return true;
  }

  /** @returns false when the budget does not allow a body that has grown to so many bytes. */
  grown(request: IncomingMessage, bytes: number): boolean {
    const held = this.#held.get(request);
    // A body without an entry is the large one beyond the budget, whose growth is not limited.
    if (held === undefined || bytes <= held) return true;
    this.release(request);
    return this.hold(request, bytes);
  }

  release(request: IncomingMessage): void {
    if (this.#large === request) this.#large = undefined;
    const held = this.#held.get(request);
    if (held === undefined) return;
    this.giveBack(callerOf(request), held);
    this.#held.delete(request);
  }

  /** @returns false when the budget, or the caller's share of it, is used up. */
  take(caller: string, bytes: number): boolean {
    const { all } = this.#share;
    const fits = this.#isShared ? this.#share.mayTake(caller, bytes) : all + bytes <= this.#maxBytes;
    // A single body is always admitted, however large, because it could otherwise never be read.
    if (!fits && all > 0) return false;
    this.#share.take(caller, bytes);
    return true;
  }

  giveBack(caller: string, bytes: number): void {
    this.#share.giveBack(caller, bytes);
  }
}

/** Requests and operations that wait for a turn of the event loop. */
class TurnLine {
  readonly #waiting = new FairLine<Waiting>();
  /** Bytes admitted in this turn. */
  #turnBytes = 0;

  enter(caller: string, waiting: Waiting): void {
    if (this.#waiting.size === 0 && this.#turnBytes < TURN_BYTES) this.#start(waiting);
    else this.#waiting.push(caller, waiting);
  }

  #start(waiting: Waiting): void {
    if (this.#turnBytes === 0) setImmediate(this.#nextTurn);
    this.#turnBytes += waiting.bytes;
    if (waiting.response?.destroyed !== true) waiting.letIn();
  }

  readonly #nextTurn = (): void => {
    this.#turnBytes = 0;
    while (this.#turnBytes < TURN_BYTES) {
      const waiting = this.#waiting.shift();
      if (waiting === undefined) return;
      this.#start(waiting);
    }
  };
}

function sizeOf({ headers }: IncomingMessage): number {
  const announced = headers["content-length"] ?? (headers["transfer-encoding"] === undefined ? 0 : UNANNOUNCED_BYTES);
  return Number(announced) + OVERHEAD_BYTES;
}

/** Passes the body on until the budget refuses its bytes. `fits` is called with all that have arrived. */
export function counted(body: Readable, fits: (bytes: number) => boolean): Readable {
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (fits(bytes)) done(null, chunk);
      else done(Object.assign(unavailable("too much is coming in at once"), { statusCode: 503 }));
    },
  });
  // The reader of the returned stream receives the errors of both streams.
  return pipeline(body, counting, () => undefined);
}

// Callers of a publisher, each of which waits until its messages are in the log.
import { messageOf, RETRY_AFTER_MS, unavailable } from "../../../../schemas/errors.ts";
import type { Log } from "../../log.ts";
import type { Acknowledged, Addressed } from "./topic-messages.ts";

export interface QueuedMessage extends Addressed {
  readonly bytes: number;
  readonly call: Call;
  readonly index: number;
}

export interface Call {
  readonly answer: Promise<Acknowledged[]>;
  readonly positions: Acknowledged[];
  readonly deadline: number;
  left: number;
  settled: boolean;
  readonly isValid: (() => boolean) | undefined;
  resolve(positions: Acknowledged[]): void;
  reject(error: unknown): void;
}

export interface CallsOptions {
  readonly timeoutMs: number;
  readonly log: Log;
}

/** Each caller gets one answer: the positions of its messages, or the reason why they may not be in the log. */
export interface Calls {
  stop(): void;
  open(messages: number, isValid: (() => boolean) | undefined): Call;
  /** Returns the entries that must still be sent. A message whose caller was refused must not be written afterwards. */
  toSend(entries: readonly QueuedMessage[]): QueuedMessage[];
  acknowledge(entry: QueuedMessage, position: Acknowledged): void;
  fail(entries: readonly QueuedMessage[], error: unknown): void;
}

const EXPIRY_CHECK_MS = 100;

export const createCalls = (options: CallsOptions): Calls => new OpenCalls(options);

class OpenCalls implements Calls {
  readonly #timeoutMs: number;
  readonly #log: Log;
  /** Open calls, in the order of their deadlines. */
  readonly #open = new Set<Call>();
  #expiry: NodeJS.Timeout | undefined;

  constructor({ timeoutMs, log }: CallsOptions) {
    this.#timeoutMs = timeoutMs;
    this.#log = log;
  }

  stop(): void {
    clearInterval(this.#expiry);
    this.#expiry = undefined;
  }

  open(messages: number, isValid: (() => boolean) | undefined): Call {
    const { promise: answer, resolve, reject } = Promise.withResolvers<Acknowledged[]>();
    const deadline = performance.now() + this.#timeoutMs;
    const call: Call = { answer, positions: [], left: messages, deadline, settled: false, isValid, resolve, reject };
    this.#open.add(call);
    this.#expiry ??= setInterval(() => this.#expire(), EXPIRY_CHECK_MS);
    return call;
  }

  toSend(entries: readonly QueuedMessage[]): QueuedMessage[] {
    let asked: Call | undefined;
    return entries.filter(({ call }) => {
      if (call !== asked && !isValid(call)) this.#settle(call, noLongerValid());
      asked = call;
      return !call.settled;
    });
  }

  acknowledge({ call, index }: QueuedMessage, position: Acknowledged): void {
    call.positions[index] = position;
    call.left -= 1;
    if (call.left === 0) this.#settle(call);
  }

  fail(entries: readonly QueuedMessage[], error: unknown): void {
    this.#log.warn({ err: messageOf(error), messages: entries.length }, "publish failed");
    for (const { call } of entries) {
      const failure = unavailable("the log did not take the message", RETRY_AFTER_MS, error);
      this.#settle(call, isValid(call) ? failure : noLongerValid());
    }
  }

  #expire(): void {
    // Without a caller the timer would only wake the process.
    if (this.#open.size === 0) this.stop();
    const now = performance.now();
    for (const call of this.#open) {
      if (call.deadline > now) return;
      this.#settle(call, unavailable("the log did not answer in time"));
    }
  }

  #settle(call: Call, error?: unknown): void {
    if (call.settled) return;
    call.settled = true;
    this.#open.delete(call);
    if (error === undefined) call.resolve(call.positions);
    else call.reject(error);
  }
}

/** @returns true when a caller of these entries may lose its right to write. */
export const mayEnd = (entries: readonly QueuedMessage[]): boolean =>
  entries.some(({ call }) => call.isValid !== undefined);

export const areValid = (entries: readonly QueuedMessage[]): boolean =>
  [...new Set(entries.map(({ call }) => call))].every(isValid);

const isValid = ({ isValid: ask }: Call): boolean => ask === undefined || ask();

const noLongerValid = () => new Error("no longer valid");

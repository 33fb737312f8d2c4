// Callers that wait for their messages to be in the log. Each is told once: where they are, or why they are not known to be.
import { messageOf, unavailable } from "../../../schemas/errors.ts";
import type { Log } from "../log.ts";
import type { Acknowledged } from "./publisher.ts";
import type { Addressed } from "./topic-messages.ts";

/** One message of a call. */
export interface Entry extends Addressed {
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

export type Calls = ReturnType<typeof createCalls>;

export const RETRY_AFTER_MS = 1_000;
const EXPIRY_CHECK_MS = 100;

export function createCalls({ timeoutMs, log }: CallsOptions) {
  /** In the order of their deadlines. */
  const open = new Set<Call>();
  let expiry: NodeJS.Timeout | undefined;

  function settle(call: Call, error?: unknown): void {
    if (call.settled) return;
    call.settled = true;
    open.delete(call);
    if (error === undefined) call.resolve(call.positions);
    else call.reject(error);
  }

  function expire(): void {
    const now = Date.now();
    for (const call of open) {
      if (call.deadline > now) return;
      settle(call, unavailable("the log did not answer in time", RETRY_AFTER_MS));
    }
  }

  return {
    start(): void {
      expiry = setInterval(expire, EXPIRY_CHECK_MS);
    },
    stop: (): void => clearInterval(expiry),

    open(messages: number, isValid: (() => boolean) | undefined): Call {
      const { promise: answer, resolve, reject } = Promise.withResolvers<Acknowledged[]>();
      const deadline = Date.now() + timeoutMs;
      const call: Call = { answer, positions: [], left: messages, deadline, settled: false, isValid, resolve, reject };
      open.add(call);
      return call;
    },

    /** Those of the entries that are still to be sent. A caller that was told "no" must not find it written after all. */
    toSend(entries: readonly Entry[]): Entry[] {
      let asked: Call | undefined;
      return entries.filter(({ call }) => {
        if (call !== asked && call.isValid?.() === false) settle(call, new Error("no longer valid"));
        asked = call;
        return !call.settled;
      });
    },

    acknowledge({ call, index }: Entry, position: Acknowledged): void {
      call.positions[index] = position;
      call.left -= 1;
      if (call.left === 0) settle(call);
    },

    fail(entries: readonly Entry[], error: unknown): void {
      log.warn({ err: messageOf(error), messages: entries.length }, "publish failed");
      for (const { call } of entries) {
        settle(call, unavailable("the log did not take the message", RETRY_AFTER_MS, error));
      }
    },
  };
}

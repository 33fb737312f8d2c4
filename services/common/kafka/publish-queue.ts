// A publisher's messages that wait to be sent, and its callers that wait for theirs to be in the log.
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

/** Each caller gets one answer: where its messages are, or why they are not known to be in the log. */
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
    const now = performance.now();
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
      const deadline = performance.now() + timeoutMs;
      const call: Call = { answer, positions: [], left: messages, deadline, settled: false, isValid, resolve, reject };
      open.add(call);
      return call;
    },

    /** The entries that are still to be sent. A message whose caller was refused must not be written after all. */
    toSend(entries: readonly Entry[]): Entry[] {
      let asked: Call | undefined;
      return entries.filter(({ call }) => {
        if (call !== asked && !isValid(call)) settle(call, noLongerValid());
        asked = call;
        return !call.settled;
      });
    },

    /** Whether a caller may lose its right to write. */
    mayEnd: (entries: readonly Entry[]): boolean => entries.some(({ call }) => call.isValid !== undefined),

    areValid: (entries: readonly Entry[]): boolean => [...new Set(entries.map(({ call }) => call))].every(isValid),

    acknowledge({ call, index }: Entry, position: Acknowledged): void {
      call.positions[index] = position;
      call.left -= 1;
      if (call.left === 0) settle(call);
    },

    fail(entries: readonly Entry[], error: unknown): void {
      log.warn({ err: messageOf(error), messages: entries.length }, "publish failed");
      for (const { call } of entries) {
        const failure = unavailable("the log did not take the message", RETRY_AFTER_MS, error);
        settle(call, isValid(call) ? failure : noLongerValid());
      }
    },
  };
}

const isValid = ({ isValid: ask }: Call): boolean => ask === undefined || ask();

const noLongerValid = () => new Error("no longer valid");

export interface PublishQueueOptions {
  readonly maxBatchBytes: number;
  readonly maxQueueBytes: number;
  readonly maxQueueMs?: number;
  readonly timeoutMs: number;
}

/** The only place of a publisher where memory could grow. */
export function createPublishQueue({ maxBatchBytes, maxQueueBytes, maxQueueMs, timeoutMs }: PublishQueueOptions) {
  let entries: Entry[] = [];
  let bytes = 0;

  /** Messages already on their way do not count: a slow answer delays its own callers only. */
  function isStuck(): boolean {
    const [oldest] = entries;
    if (oldest === undefined || maxQueueMs === undefined) return false;
    const queuedAt = oldest.call.deadline - timeoutMs;
    return performance.now() - queuedAt > maxQueueMs;
  }

  return {
    isEmpty: (): boolean => entries.length === 0,
    fillsBatch: (): boolean => bytes >= maxBatchBytes,
    hasRoom: (more: number): boolean => bytes + more <= maxQueueBytes && !isStuck(),

    push(entry: Entry): void {
      entries.push(entry);
      bytes += entry.bytes;
    },

    /** The oldest entries, as many as one request may hold. */
    takeBatch(): Entry[] {
      let size = 0;
      let count = 0;
      while (count < entries.length) {
        size += entries[count]?.bytes ?? 0;
        if (count > 0 && size > maxBatchBytes) break;
        count += 1;
      }
      const taken = entries.slice(0, count);
      entries = entries.slice(count);
      for (const entry of taken) bytes -= entry.bytes;
      return taken;
    },
  };
}

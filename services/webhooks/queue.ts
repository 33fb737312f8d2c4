// The queues of a partition of signals in Redis, and the position behind which all signals are in them.
import type { Redis } from "ioredis";
import { z } from "zod";
import { isQueueId, type QueueId } from "../../projections/deliveries/queue-id.ts";
import {
  type Cause,
  createdAtOf,
  isMergeable,
  type Parcel,
  parseItem,
  subjectKey,
  type WaitingSignal,
} from "../../projections/deliveries/waiting.ts";
import type { DeliveryAttempt } from "../../schemas/records/delivery-ended.ts";
import type { SubscriptionMode } from "../../schemas/records/subscription.ts";
import { deliveryKeys } from "../../schemas/redis-keys.ts";
import { HopelessError } from "../common/hopeless.ts";
import { defineScript, type Script } from "../common/redis-script.ts";
import { isSlow } from "./receivers.ts";
import type { Room } from "./room.ts";
import {
  ACCEPT_SCRIPT,
  BEGIN_SCRIPT,
  CLAIM_SCRIPT,
  END_EXPRESS_SCRIPT,
  END_SCRIPT,
  EXPRESS_SCRIPT,
  FORGET_SCRIPT,
  LOAD_SCRIPT,
  MAKE_ROOM_SCRIPT,
  OUTBOX_SCRIPT,
  RETRY_SCRIPT,
  TAKE_SCRIPT,
  TOLD_SCRIPT,
} from "./scripts.ts";

/** Another process owns the partition now, or Redis has lost it: what was to be written must not be. */
export class NotOwner extends HopelessError {
  override readonly name = "NotOwner";
}

export interface Bounds {
  readonly lagMs: number;
  readonly maxWaiting: number;
  readonly maxBytes: number;
  readonly batchSignals: number;
  readonly batchBytes: number;
}

export interface Arrived {
  readonly queueId: QueueId;
  readonly mode: SubscriptionMode;
  readonly cause: Cause;
  readonly waiting: WaitingSignal;
  /** Why it is not to be delivered. */
  readonly refusal: string | undefined;
  /** What each signal of a batch takes in its body besides itself. */
  readonly configBytes: number;
}

export interface Arrival {
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly signals: readonly Arrived[];
}

export interface Asking {
  readonly queueId: QueueId;
  readonly now: number;
  /** Of the subscription. */
  readonly version: string;
  /** undefined: it gets no batches. */
  readonly batchMs: number | undefined;
  /** Its queue makes room before all others. */
  readonly isStopped: boolean;
}

/** What a lane must know of its next delivery while it cannot be sent. */
export interface Head {
  readonly id: string;
  /** ms; about that of the signal. */
  readonly createdAt: number;
  /** Of its signals, as they are stored. */
  readonly bytes: number;
  /** How many it has. */
  readonly signals: number;
  /** In a row, at this receiver. */
  readonly failures: number;
  /** When it may be tried; 0 = at once. */
  readonly nextAt: number;
  /** The last attempt at this receiver. */
  readonly wasSlow: boolean;
}

/** What the next delivery must know of the one before it. */
export interface Aftermath {
  /** In a row, at this receiver. */
  readonly failures: number;
  /** When the next one may be tried; 0 = at once. */
  readonly nextAt: number;
  readonly last: DeliveryAttempt;
}

export interface Payload extends Parcel {
  readonly attempts: readonly DeliveryAttempt[];
}

/** A delivery that somebody asked for. */
export interface Asked {
  readonly id: string;
  /** Of all that is sent, as it is stored. */
  readonly bytes: number;
  /** How many signals of the queue that is. */
  readonly signals: number;
}

export interface Taken {
  /** When the running batch is to be sent; undefined = none runs. */
  readonly batchAt: number | undefined;
  readonly head: Head | undefined;
}

export interface Delivered {
  readonly queueId: QueueId;
  readonly id: string;
  readonly subject: string;
  /** A record for the log, as JSON; "" = none. */
  readonly record: string;
}

export type Queue = ReturnType<typeof createQueue>;

export interface QueueOptions {
  readonly redis: Redis;
  readonly namespace: string;
  readonly partition: number;
  /** Differs for each time that a process takes the partition over. */
  readonly owner: string;
  readonly bounds: Bounds;
  readonly room: Room;
}

const reply = z.array(z.string().nullable());
const attemptsText = z.string().transform((text): readonly DeliveryAttempt[] => JSON.parse(text));
const OK = "ok";
/** There is more to drop than one call may. */
const MORE = "1";
const FULL = "full";
const DELETED = "deleted";

/** All reject with NotOwner where they would write for a partition that is not owned. */
export function createQueue({ redis, namespace, partition, owner, bounds, room }: QueueOptions) {
  const keys = deliveryKeys(namespace, partition);

  const scripts = new Map<string, Script<unknown>>();

  function scriptOf(lua: string): Script<unknown> {
    const script = scripts.get(lua) ?? defineScript(redis, 1, lua);
    scripts.set(lua, script);
    return script;
  }

  async function run(lua: string, ...args: readonly (string | number)[]): Promise<readonly string[]> {
    const script = scriptOf(lua);
    const [status, ...found] = reply.parse(await script(keys.position, owner, keys.base, args.map(String)));
    if (status !== OK) throw new NotOwner(`${status}: partition ${partition}`);
    return found.map((each) => each ?? "");
  }

  /** In several steps, so that nobody waits for Redis for long. */
  async function makeRoom(now: number, bytes: number): Promise<void> {
    const step = () => run(MAKE_ROOM_SCRIPT, now, bytes);
    for (let [rest] = await step(); rest === MORE; ) [rest] = await step();
  }

  return {
    keys,

    /** Makes this the owner; the others' writes fail from now on. Returns where it has come to. */
    async claim(): Promise<{ readonly next: number | undefined; readonly logId: string | undefined }> {
      const [next = "", logId = ""] = await run(CLAIM_SCRIPT);
      return { next: next === "" ? undefined : Number(next), logId: logId === "" ? undefined : logId };
    },

    async begin(next: number, logId: string): Promise<void> {
      await run(BEGIN_SCRIPT, next, logId);
    },

    /**
     * Takes the signals in and moves the position, in one step. The newest are dropped where there is no room for all.
     * Rejects while the delivery log is to be told of too much.
     */
    async accept({ from, to, now, signals }: Arrival): Promise<void> {
      const { lagMs, maxWaiting, maxBytes, batchSignals, batchBytes } = bounds;
      const bytes = await room.of(partition);
      const limits = [lagMs, maxWaiting, maxBytes, batchSignals, batchBytes, bytes];
      const [rest] = await run(ACCEPT_SCRIPT, from, to, now, ...limits, ...signals.flatMap(argumentsOf));
      if (rest === FULL) throw new Error("the delivery log must be told of too much before");
      if (rest === MORE) await makeRoom(now, bytes);
    },

    /** Others may need the room that this partition has taken. */
    makeRoom: async (now: number) => makeRoom(now, await room.of(partition)),

    async take({ queueId, now, version, batchMs, isStopped }: Asking): Promise<Taken> {
      const asking = [queueId, now, version, batchMs ?? "", isStopped ? 1 : 0];
      const [batchAt = "", ...head] = await run(TAKE_SCRIPT, ...asking);
      return { batchAt: batchAt === "" ? undefined : Number(batchAt), head: headOf(head) };
    },

    /** undefined: it is not the head any more. "deleted": the subscription was, as the log says. */
    async load(queueId: QueueId, id: string): Promise<Payload | typeof DELETED | undefined> {
      const found = await run(LOAD_SCRIPT, queueId, id);
      return found[0] === DELETED ? DELETED : payloadOf(id, found);
    },

    async retry(queueId: QueueId, id: string, attempts: readonly DeliveryAttempt[], nextAt: number): Promise<void> {
      await run(RETRY_SCRIPT, queueId, id, JSON.stringify(attempts), nextAt, attempts.at(-1)?.at ?? 0);
    },

    /** Without an aftermath the receiver was not asked. */
    async end({ queueId, id, subject, record }: Delivered, aftermath: Aftermath | undefined): Promise<void> {
      await run(END_SCRIPT, queueId, id, subject, record, ...(aftermath === undefined ? [] : notesOf(aftermath)));
    },

    async endExpress({ queueId, id, subject, record }: Delivered, succeeded: boolean): Promise<void> {
      await run(END_EXPRESS_SCRIPT, queueId, id, subject, record, succeeded ? 1 : 0);
    },

    async forget(queueId: QueueId): Promise<void> {
      await run(FORGET_SCRIPT, queueId);
    },

    /** Those of deleted subscriptions too, until they are forgotten. */
    known: async () => (await redis.smembers(keys.known)).filter(isQueueId),
    asked: async () => (await redis.smembers(keys.asked)).filter(isQueueId),

    async express(queueId: QueueId): Promise<readonly Asked[]> {
      const found = await run(EXPRESS_SCRIPT, queueId);
      return found.flatMap((id, i) =>
        i % 3 === 0 ? [{ id, bytes: Number(found[i + 1]), signals: Number(found[i + 2]) }] : [],
      );
    },

    /** What is asked for, as JSON. undefined: it is not any more, or the subscription was deleted. */
    async askedFor(queueId: QueueId, id: string): Promise<string | undefined> {
      const { express, deleted } = keys.of(queueId);
      const [text, isDeleted] = await Promise.all([redis.hget(express, id), redis.exists(deleted)]);
      return text === null || isDeleted === 1 ? undefined : text;
    },

    /** undefined: it waits no more. */
    async waiting(queueId: QueueId, id: string): Promise<Parcel | undefined> {
      const { queue, items, merged } = keys.of(queueId);
      const [order, text, count] = await Promise.all([
        redis.zscore(queue, id),
        redis.hget(items, id),
        redis.hget(merged, id),
      ]);
      if (order === null || text === null) return undefined;
      const item = parseItem(text);
      const found = { id, createdAt: createdAtOf(Number(order)), merged: Number(count ?? 0) };
      if ("signal" in item) return { ...found, signals: [item.signal], isBatch: false };
      const texts = await redis.hmget(items, ...item.batch);
      const signals = texts.flatMap((each): WaitingSignal[] => (each === null ? [] : [JSON.parse(each)]));
      // Fewer: it has ended since the first question.
      return signals.length < texts.length ? undefined : { ...found, signals, isBatch: true };
    },

    /** The oldest entries: one, or as many as are within the bytes. */
    outbox: (atMost: number, maxBytes: number) => run(OUTBOX_SCRIPT, atMost, maxBytes),

    async told(count: number, first: string): Promise<void> {
      await run(TOLD_SCRIPT, count, first);
    },

    async isOwned(): Promise<boolean> {
      return (await redis.hget(keys.position, "owner")) === owner;
    },

    /** undefined: another process or a loss has changed the owner. */
    async position(): Promise<number | undefined> {
      const [known, next] = await redis.hmget(keys.position, "owner", "next");
      return known === owner && next != null ? Number(next) : undefined;
    },
  };
}

const notesOf = ({ failures, nextAt, last }: Aftermath) => [failures, nextAt, last.at, isSlow(last.ms) ? 1 : 0];

function argumentsOf({ queueId, mode, cause, waiting, refusal, configBytes }: Arrived): string[] {
  return [
    queueId,
    mode,
    cause.log,
    String(cause.offset),
    String(cause.index),
    waiting.id,
    subjectKey(waiting),
    isMergeable(waiting) ? "1" : "0",
    String(waiting.createdAt),
    JSON.stringify(waiting),
    refusal === undefined ? "" : JSON.stringify(refusal),
    String(configBytes),
  ];
}

function headOf([id, order, bytes, signals, failures, nextAt, slow]: readonly string[]): Head | undefined {
  if (id === undefined) return undefined;
  return {
    id,
    createdAt: createdAtOf(Number(order)),
    bytes: Number(bytes),
    signals: Number(signals),
    failures: Number(failures),
    nextAt: Number(nextAt),
    wasSlow: slow === "1",
  };
}

function payloadOf(id: string, [order, item, merged, attempts, ...items]: readonly string[]): Payload | undefined {
  if (item === undefined) return undefined;
  const isBatch = items.length > 0;
  return {
    id,
    createdAt: createdAtOf(Number(order)),
    // The texts were written by accept().
    signals: (isBatch ? items : [item]).map((text): WaitingSignal => JSON.parse(text)),
    isBatch,
    merged: Number(merged),
    attempts: attemptsText.parse(attempts),
  };
}

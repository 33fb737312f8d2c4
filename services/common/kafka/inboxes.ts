import type { KafkaMessage } from "kafkajs";
import { heldBytes } from "./held-bytes.ts";

export interface PartitionId {
  readonly topic: string;
  readonly partition: number;
}

interface Inbox {
  readonly id: PartitionId;
  /** Undefined until the owner has said where to begin. */
  next: number | undefined;
  /** The `next` that the owner was given last. */
  told: number;
  messages: KafkaMessage[];
  bytes: number;
  highWatermark: number;
  paused: boolean;
  /** Of how many answers the schemas are being fetched. */
  learning: number;
}

export interface InboxLimits {
  /** In one inbox. */
  readonly maxMessages: number;
  /** In all of them together. */
  readonly maxBytes: number;
  /** As `Codec.learn`. An inbox keeps its messages until it has resolved; the others do not wait for it. */
  readonly learn?: Learn | undefined;
}

export type Learn = (values: Iterable<Buffer | null>) => Promise<void> | undefined;

/** One partition's part of an answer of the broker. */
export interface Fetched {
  readonly messages: readonly KafkaMessage[];
  /** Offset to fetch next. */
  readonly next: number;
  readonly highWatermark: number;
}

export interface Emptied {
  readonly assigned: readonly PartitionId[] | undefined;
  readonly batches: readonly (PartitionId & {
    readonly messages: readonly KafkaMessage[];
    readonly next: number;
    readonly highWatermark: number;
  })[];
  /** Partitions that were paused for being full and are empty now. */
  readonly resumable: readonly PartitionId[];
}

/** False: the messages stay in the inbox for now. */
export type IsReady = (id: PartitionId) => boolean;

const everyone: IsReady = () => true;

/** Memory of a message beside what it holds. */
const MESSAGE_BYTES = 200;

/** Inboxes of the assigned partitions: filled by the consumer's callbacks, emptied whole by one loop. */
export type Inboxes = ReturnType<typeof createInboxes>;

export function createInboxes({ maxMessages, maxBytes, learn = () => undefined }: InboxLimits) {
  let inboxes = new Map<string, Inbox>();
  let assigned: readonly PartitionId[] | undefined;
  let signal = Promise.withResolvers<void>();
  let closed = false;
  /** Bytes in all inboxes. */
  let held = 0;
  let failure: { readonly error: unknown } | undefined;

  const wake = () => signal.resolve();
  const get = (id: PartitionId) => inboxes.get(keyOf(id));

  /** An empty inbox is never paused: each partition makes progress however much the others hold. */
  function pauseFull(): PartitionId[] {
    const full = [...inboxes.values()].filter(({ messages, paused }) => {
      return !paused && messages.length > 0 && (held >= maxBytes || messages.length >= maxMessages);
    });
    for (const inbox of full) inbox.paused = true;
    return full.map(({ id }) => id);
  }

  /** Takes no part in a later assignment: that one has inboxes of its own. */
  async function learnInto(inbox: Inbox, learned: Promise<void>): Promise<void> {
    inbox.learning += 1;
    try {
      await learned;
      inbox.learning -= 1;
    } catch (error) {
      failure ??= { error };
    }
    wake();
  }

  return {
    assign(ids: readonly PartitionId[]): void {
      assigned = ids;
      inboxes = new Map(ids.map((id) => [keyOf(id), emptyInbox(id)]));
      held = 0;
      wake();
    },

    accepts: (id: PartitionId): boolean => get(id)?.next !== undefined,

    /** Offset to fetch next; undefined when nothing is to be fetched. */
    expected: (id: PartitionId): number | undefined => get(id)?.next,

    /** False when the owner has yet to hear of a newer assignment: what it knows of the partition is void. */
    begin(id: PartitionId, offset: number): boolean {
      const inbox = get(id);
      if (inbox === undefined || assigned !== undefined) return false;
      inbox.next = offset;
      inbox.told = offset;
      held -= inbox.bytes;
      inbox.messages = [];
      inbox.bytes = 0;
      inbox.paused = false;
      return true;
    },

    /** Returns the partitions to pause. Messages before the expected offset were received earlier. */
    put(id: PartitionId, { messages, next, highWatermark }: Fetched): readonly PartitionId[] {
      const inbox = get(id);
      if (inbox?.next === undefined) return [];
      for (const message of messages) {
        if (Number(message.offset) < inbox.next) continue;
        inbox.messages.push(message);
        inbox.bytes += bytesOf(message);
        held += bytesOf(message);
      }
      inbox.next = Math.max(inbox.next, next);
      inbox.highWatermark = highWatermark;
      const learned = learn(messages.map(({ value }) => value));
      if (learned !== undefined) void learnInto(inbox, learned);
      if (hasNews(inbox)) wake();
      return pauseFull();
    },

    /** The offset that a begun, unpaused partition waits for. */
    starving(id: PartitionId): number | undefined {
      const inbox = get(id);
      return inbox === undefined || inbox.paused ? undefined : inbox.next;
    },

    /** By partition, the offset to fetch next. */
    reached: (): ReadonlyMap<string, number> => new Map(Array.from(inboxes, ([key, { next = 0 }]) => [key, next])),

    /** Rejects when schemas cannot be learned. */
    async wait(idleMs: number, isReady: IsReady = everyone): Promise<void> {
      if (failure !== undefined && !closed) throw failure.error;
      const waiting = [...inboxes.values()].some((inbox) => hasNews(inbox) && isReady(inbox.id));
      if (closed || idleMs <= 0 || assigned !== undefined || waiting) return;
      const timer = setTimeout(wake, idleMs);
      await signal.promise;
      clearTimeout(timer);
      signal = Promise.withResolvers<void>();
    },

    /** Ends a wait. */
    wake,

    take(isReady: IsReady = everyone): Emptied {
      const news = assigned;
      assigned = undefined;
      const batches = [];
      const resumable = [];
      for (const inbox of inboxes.values()) {
        const { id, next, messages, highWatermark } = inbox;
        if (next === undefined || !hasNews(inbox) || !isReady(id)) continue;
        batches.push({ ...id, messages, next, highWatermark });
        held -= inbox.bytes;
        inbox.messages = [];
        inbox.bytes = 0;
        inbox.told = next;
        if (inbox.paused) resumable.push(inbox.id);
        inbox.paused = false;
      }
      signal = Promise.withResolvers<void>();
      return { assigned: news, batches, resumable };
    },

    close(): void {
      closed = true;
      wake();
    },
  };
}

const emptyInbox = (id: PartitionId): Inbox => {
  return { id, next: undefined, told: 0, messages: [], bytes: 0, highWatermark: 0, paused: false, learning: 0 };
};

const bytesOf = (message: KafkaMessage): number => MESSAGE_BYTES + heldBytes(message);

/** Offsets without a message are news, too: a caller that waits for a position must get past them. */
const hasNews = ({ messages, next, told, learning }: Inbox): boolean =>
  learning === 0 && (messages.length > 0 || (next ?? 0) > told);

const keyOf = ({ topic, partition }: PartitionId): string => `${topic}/${partition}`;

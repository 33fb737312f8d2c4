import type { KafkaMessage } from "kafkajs";

export interface PartitionId {
  readonly topic: string;
  readonly partition: number;
}

interface Inbox {
  readonly id: PartitionId;
  /** Undefined until the owner has said where to begin. */
  next: number | undefined;
  /** As far as the owner knows. */
  told: number;
  messages: KafkaMessage[];
  highWatermark: number;
  paused: boolean;
}

/** What one answer of the broker brought of a partition. */
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

/** False: what the inbox holds stays there for now. */
export type IsReady = (id: PartitionId) => boolean;

const everyone: IsReady = () => true;

/** Inboxes of the assigned partitions: filled by the consumer's callbacks, emptied whole by one loop. */
export function createInboxes(maxMessages: number) {
  let inboxes = new Map<string, Inbox>();
  let assigned: readonly PartitionId[] | undefined;
  let signal = Promise.withResolvers<void>();
  let closed = false;

  const wake = () => signal.resolve();
  const get = (id: PartitionId) => inboxes.get(keyOf(id));

  return {
    assign(ids: readonly PartitionId[]): void {
      assigned = ids;
      inboxes = new Map(
        ids.map((id) => [keyOf(id), { id, next: undefined, told: 0, messages: [], highWatermark: 0, paused: false }]),
      );
      wake();
    },

    accepts: (id: PartitionId): boolean => get(id)?.next !== undefined,

    /** Offset to fetch next; undefined when nothing is to be fetched. */
    expected: (id: PartitionId): number | undefined => get(id)?.next,

    /** False when the owner has yet to hear of a newer assignment: what it knows of the partition is void by then. */
    begin(id: PartitionId, offset: number): boolean {
      const inbox = get(id);
      if (inbox === undefined || assigned !== undefined) return false;
      inbox.next = offset;
      inbox.told = offset;
      inbox.messages = [];
      inbox.paused = false;
      return true;
    },

    /** Returns true when the partition should be paused. Messages before the expected one were already taken. */
    put(id: PartitionId, { messages, next, highWatermark }: Fetched): boolean {
      const inbox = get(id);
      if (inbox?.next === undefined) return false;
      for (const message of messages) if (Number(message.offset) >= inbox.next) inbox.messages.push(message);
      inbox.next = Math.max(inbox.next, next);
      inbox.highWatermark = highWatermark;
      if (hasNews(inbox)) wake();
      if (inbox.messages.length >= maxMessages) inbox.paused = true;
      return inbox.paused;
    },

    /** The offset that a begun, unpaused partition waits for. */
    starving(id: PartitionId): number | undefined {
      const inbox = get(id);
      return inbox === undefined || inbox.paused ? undefined : inbox.next;
    },

    /** By partition, as far as it was fetched. */
    reached: (): ReadonlyMap<string, number> => new Map(Array.from(inboxes, ([key, { next = 0 }]) => [key, next])),

    async wait(idleMs: number, isReady: IsReady = everyone): Promise<void> {
      const waiting = [...inboxes.values()].some((inbox) => hasNews(inbox) && isReady(inbox.id));
      if (closed || idleMs <= 0 || assigned !== undefined || waiting) return;
      const timer = setTimeout(wake, idleMs);
      await signal.promise;
      clearTimeout(timer);
      signal = Promise.withResolvers<void>();
    },

    /** Who waits goes on. */
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
        inbox.messages = [];
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

/** Offsets without a message are news, too: whoever waits for a position must get past them. */
const hasNews = ({ messages, next, told }: Inbox): boolean => messages.length > 0 || (next ?? 0) > told;

const keyOf = ({ topic, partition }: PartitionId): string => `${topic}/${partition}`;

// The messages of one assigned partition that wait for the owner, and for the schemas that they need.
import type { KafkaMessage } from "kafkajs";
import type { LoadSchemas } from "../../../../schemas/codec.ts";
import { retainedBytes } from "../internals/retained-bytes.ts";

export interface PartitionId {
  readonly topic: string;
  readonly partition: number;
}

export const partitionKey = ({ topic, partition }: PartitionId): string => `${topic}/${partition}`;

/** One partition's part of an answer of the broker. */
export interface FetchedPortion {
  readonly messages: readonly KafkaMessage[];
  /** Offset to fetch next. */
  readonly next: number;
  readonly highWatermark: number;
}

export interface InboxDeps {
  readonly loadSchemas: LoadSchemas;
  /** Called when more messages have become ready later than they were put. */
  readonly onReady: () => void;
  /** Called when schemas cannot be loaded. */
  readonly onFailure: (error: unknown) => void;
}

/** Memory of a message besides the bytes that it retains. */
const MESSAGE_BYTES = 200;

export class Inbox {
  readonly id: PartitionId;
  readonly #deps: InboxDeps;
  /** When true, the consumer fetches nothing for the partition. */
  isPaused = false;
  #next: number | undefined;
  /** The `next` that the owner received last. */
  #handedOver = 0;
  #messages: KafkaMessage[] = [];
  #bytes = 0;
  #highWatermark = 0;
  /** Number of the first messages whose schemas are known. */
  #ready = 0;
  #isLoading = false;
  /** Ids of other producers' schemas in the ready messages. */
  #schemas = new Set<number>();

  constructor(id: PartitionId, deps: InboxDeps) {
    this.id = id;
    this.#deps = deps;
  }

  /** Offset to fetch next; undefined until the owner has begun the partition. */
  get next(): number | undefined {
    return this.#next;
  }

  get size(): number {
    return this.#messages.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Offsets without a message count as news, too: a caller that waits for a position must get past them. */
  get hasNews(): boolean {
    return !this.#isLoading && (this.size > 0 ? this.#ready > 0 : (this.#next ?? 0) > this.#handedOver);
  }

  begin(offset: number): void {
    this.#next = offset;
    this.#handedOver = offset;
    this.#bytes = 0;
    this.#keep([]);
    this.isPaused = false;
  }

  /** Skips messages before the expected offset, which were received earlier. */
  put({ messages, next, highWatermark }: FetchedPortion): void {
    const expected = this.#next ?? 0;
    for (const message of messages) {
      if (Number(message.offset) < expected) continue;
      this.#messages.push(message);
      this.#bytes += bytesOf(message);
    }
    this.#next = Math.max(expected, next);
    this.#highWatermark = highWatermark;
    this.#loadRest();
  }

  /** Removes the messages that are ready. */
  takeReady() {
    const messages = this.#messages.slice(0, this.#ready);
    const rest = this.#messages.slice(this.#ready);
    const first = rest[0];
    const next = first === undefined ? (this.#next ?? 0) : Number(first.offset);
    this.#bytes = first === undefined ? 0 : this.#bytes - messages.reduce((sum, each) => sum + bytesOf(each), 0);
    this.#keep(rest);
    this.#handedOver = next;
    this.#loadRest();
    return { ...this.id, messages, next, highWatermark: this.#highWatermark };
  }

  #keep(rest: KafkaMessage[]): void {
    this.#messages = rest;
    this.#ready = 0;
    this.#isLoading = false;
    this.#schemas = new Set();
  }

  #loadRest(): void {
    const left = this.size - this.#ready;
    if (this.#isLoading || left === 0) return;
    const { topic } = this.id;
    const loaded = this.#deps.loadSchemas(valuesFrom(this.#messages, this.#ready), { topic, held: this.#schemas });
    if (loaded instanceof Promise) void this.#awaitLoaded(loaded, left);
    else this.#ready += loaded ?? left;
  }

  /**
   * The result applies only to the messages that waited for it: a later assignment has inboxes of its own, and `begin`
   * replaces the list of messages.
   */
  async #awaitLoaded(loaded: Promise<number | undefined>, left: number): Promise<void> {
    const messages = this.#messages;
    this.#isLoading = true;
    try {
      const count = (await loaded) ?? left;
      if (this.#messages !== messages) return;
      this.#ready += count;
      this.#isLoading = false;
      this.#loadRest();
      this.#deps.onReady();
    } catch (error) {
      this.#deps.onFailure(error);
    }
  }
}

const bytesOf = (message: KafkaMessage): number => MESSAGE_BYTES + retainedBytes(message);

function* valuesFrom(messages: readonly KafkaMessage[], first: number): Generator<Buffer | null> {
  for (let i = first; i < messages.length; i++) yield messages[i]?.value ?? null;
}

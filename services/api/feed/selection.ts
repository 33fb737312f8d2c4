// Equal subscriptions share the work. A selection is a document with its variables; its result is computed and
// serialised once per message and given to all its subscribers.
import type { FeedFilter, FeedMessage } from "../../../projections/feed/kind.ts";
import { createOutbox, type OutboxLimits, type Waiting } from "./outbox.ts";
import { type FeedPayload, type Subscriber, tooSlow } from "./subscriber.ts";

export interface Selection {
  /** The same for equal subscriptions. */
  readonly key: string;
  readonly asked: FeedFilter;
  /** Token of the caller. */
  readonly tokenId: string;
  readonly filterKey: string;
  /**
   * Returns the result in JSON, without the closing brace: the cursor follows. A promise only if a field has to wait.
   */
  render(message: FeedMessage): string | Promise<string>;
}

export function toPayload(rendered: string, mergeKey: string | undefined, cursor: string): FeedPayload {
  const body = Buffer.from(`${rendered},"extensions":{"cursor":"${cursor}"}}`);
  return { body, cursor, mergeKey, bytes: body.length };
}

/** A selection with the subscribers that follow the tail. */
export interface LiveSelection {
  /** The one of the first subscriber. */
  readonly selection: Selection;
  /** `turn` is the turn of the first message that the subscriber receives. */
  add(subscriber: Subscriber, turn: number): void;
  /** @returns true when the subscriber was in the selection. */
  remove(subscriber: Subscriber): boolean;
  readonly isEmpty: boolean;
  push(message: FeedMessage, turn: number, cursor: string): void;
}

interface Pending extends Waiting {
  readonly message: FeedMessage;
  readonly turn: number;
  readonly cursor: string;
}

interface Running {
  readonly turn: number;
  payload: FeedPayload | undefined;
}

/** Maximum number of messages whose execution may wait for a store at the same time. */
const MAX_RUNNING = 32;

export function createLiveSelection(selection: Selection, limits: OutboxLimits): LiveSelection {
  const subscribers = new Map<Subscriber, number>();
  const pending = createOutbox<Pending>({ ...limits, maxBytes: Number.MAX_SAFE_INTEGER });
  const running: Running[] = [];

  function deliver(payload: FeedPayload, turn: number): void {
    for (const [subscriber, from] of subscribers) if (turn >= from) subscriber.offer(payload);
  }

  function run({ message, turn, cursor, mergeKey }: Pending): void {
    const rendered = selection.render(message);
    if (typeof rendered === "string" && running.length === 0) {
      deliver(toPayload(rendered, mergeKey, cursor), turn);
      return;
    }
    const job: Running = { turn, payload: undefined };
    running.push(job);
    void Promise.resolve(rendered).then((text) => {
      job.payload = toPayload(text, mergeKey, cursor);
      settle();
    });
  }

  /** Delivers the finished payloads in the order of the log, and starts the next ones. */
  function settle(): void {
    for (let first = running[0]; first?.payload !== undefined; first = running[0]) {
      running.shift();
      deliver(first.payload, first.turn);
    }
    while (running.length < MAX_RUNNING) {
      const next = pending.shift();
      if (next === undefined) return;
      run(next);
    }
  }

  return {
    selection,
    add: (subscriber, turn) => {
      subscribers.set(subscriber, turn);
    },
    remove: (subscriber) => subscribers.delete(subscriber),
    get isEmpty() {
      return subscribers.size === 0;
    },
    push(message, turn, cursor) {
      const next: Pending = { message, turn, cursor, mergeKey: selection.asked.kind.mergeKey(message), bytes: 0 };
      if (running.length < MAX_RUNNING && pending.size === 0) run(next);
      else if (!pending.push(next)) for (const subscriber of [...subscribers.keys()]) subscriber.end("slow", tooSlow());
    },
  };
}

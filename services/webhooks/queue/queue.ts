// Queues of a signals partition in Redis, and the position before which every signal is in a queue.
import { type Bounds, createAccepting } from "./accept.ts";
import { createFenced, type FencedOptions } from "./fenced.ts";
import { createQueueLengths } from "./lengths.ts";
import { createNextDeliveries } from "./next-delivery.ts";
import type { PayloadBudget } from "./payload-budget.ts";
import { createQueuePosition } from "./position.ts";
import { createRequestedDeliveries } from "./requested.ts";
import { queueScripts } from "./scripts.ts";

export type Queue = ReturnType<typeof createQueue>;

export interface QueueOptions extends FencedOptions {
  readonly bounds: Bounds;
  readonly payloadBudget: PayloadBudget;
}

/** All methods that write reject with NotOwner when this process does not own the partition. */
export function createQueue({ bounds, payloadBudget, ...options }: QueueOptions) {
  const fenced = createFenced(options);
  const { redis, fence, found } = fenced;
  return {
    ...createQueuePosition(fenced),
    ...createAccepting(fenced, bounds, () => payloadBudget.of(options.partition)),
    ...createNextDeliveries(fenced),
    ...createRequestedDeliveries(fenced),
    ...createQueueLengths(fenced),

    /** Returns the oldest entries: at least one, and no more than fit into `maxBytes`. */
    outbox: (maxEntries: number, maxBytes: number) =>
      found(queueScripts.outbox(redis, { ...fence, maxEntries, maxBytes })),

    async trimOutbox(entries: number, first: string): Promise<void> {
      await found(queueScripts.trimOutbox(redis, { ...fence, entries, first }));
    },
  };
}

// Publishes each partition's outputs. Partitions share a publisher, whose batches succeed or fail as one. A partition
// whose outputs failed gets a publisher of its own until that succeeds, so a bad partition neither fails nor delays the
// others.
import { AppError, messageOf } from "../../../schemas/errors.ts";
import type { Acknowledged, OutMessage, Publisher } from "../../common/kafka/write/publisher.ts";
import type { Log } from "../../common/log.ts";

export interface PartitionPublishersOptions {
  readonly shared: Publisher;
  /** Creates a publisher, which is not started. */
  readonly createOwn: () => Publisher;
  readonly log: Log;
}

export type PartitionPublishers = ReturnType<typeof createPartitionPublishers>;

export function createPartitionPublishers({ shared, createOwn, log }: PartitionPublishersOptions) {
  /**
   * Publishers of partitions that do not share one. Undefined until the partition's next outputs start its publisher.
   */
  const apart = new Map<number, Publisher | undefined>();

  async function publishApart(partition: number, messages: readonly OutMessage[], isValid: () => boolean) {
    const own = apart.get(partition) ?? (await startOwn(partition));
    const positions = await own.publish(messages, isValid);
    apart.delete(partition);
    void stop(own);
    return positions;
  }

  async function startOwn(partition: number): Promise<Publisher> {
    const own = createOwn();
    try {
      await own.start();
    } catch (error) {
      void stop(own);
      throw error;
    }
    apart.set(partition, own);
    return own;
  }

  async function stop(publisher: Publisher): Promise<void> {
    try {
      await publisher.stop();
    } catch (error) {
      log.debug({ err: messageOf(error) }, "publisher did not stop cleanly");
    }
  }

  return {
    /** Does the same as a publisher's `publish`; in the order of calls if the caller awaits each. */
    async publish(
      partition: number,
      messages: readonly OutMessage[],
      isValid: () => boolean,
    ): Promise<readonly Acknowledged[]> {
      if (messages.length === 0) return [];
      if (apart.has(partition)) return publishApart(partition, messages, isValid);
      try {
        return await shared.publish(messages, isValid);
      } catch (error) {
        // Only an AppError concerns the log. Other errors come from messages that are no longer valid.
        if (error instanceof AppError) apart.set(partition, undefined);
        throw error;
      }
    },

    /** Lets all partitions share again; no outputs may be under way. */
    async reset(): Promise<void> {
      const all = [...apart.values()];
      apart.clear();
      await Promise.all(all.map((publisher) => publisher && stop(publisher)));
    },
  };
}

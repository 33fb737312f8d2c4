// The owner of a partition, and the position before which every signal is in a queue.
import type { Fenced } from "./fenced.ts";
import { queueScripts } from "./scripts.ts";

export function createQueuePosition({ redis, keys, fence, found }: Fenced) {
  return {
    /**
     * Makes this process the owner; writes of earlier owners fail from now on. Returns the position and the log's id,
     * each undefined when Redis has none.
     */
    async claim(): Promise<{ readonly next: number | undefined; readonly logId: string | undefined }> {
      const [next = "", logId = ""] = await found(queueScripts.claim(redis, fence));
      return { next: next === "" ? undefined : Number(next), logId: logId === "" ? undefined : logId };
    },

    async begin(next: number, logId: string): Promise<void> {
      await found(queueScripts.begin(redis, { ...fence, next, logId }));
    },

    async isOwned(): Promise<boolean> {
      return (await redis.hget(keys.position, "owner")) === fence.owner;
    },

    /** @returns undefined when another process owns the partition, or when Redis has lost the owner. */
    async position(): Promise<number | undefined> {
      const [known, next] = await redis.hmget(keys.position, "owner", "next");
      return known === fence.owner && next != null ? Number(next) : undefined;
    },
  };
}

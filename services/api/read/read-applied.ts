import type { Redis } from "ioredis";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import type { Applied } from "./await-position.ts";

/** How far the state machine has come, by partition; one where it has applied nothing yet is absent. */
export async function readApplied(
  redis: Redis,
  namespace: string,
  partitions: readonly number[],
): Promise<ReadonlyMap<number, Applied>> {
  const applied = new Map<number, Applied>();
  await Promise.all(
    partitions.map(async (partition) => {
      const { position } = partitionKeys(namespace, partition);
      const [next, intersections] = await redis.hmget(position, "next", "intersections");
      if (next != null) applied.set(partition, { next: Number(next), intersections: Number(intersections ?? 0) });
    }),
  );
  return applied;
}

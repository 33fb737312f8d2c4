import type { Redis } from "ioredis";
import { partitionKeys } from "../../schemas/redis-keys.ts";
import type { Applied } from "./await-position.ts";

/** How far the state machine has come in a partition; undefined = it has applied nothing yet. */
export async function readApplied(redis: Redis, namespace: string, partition: number): Promise<Applied | undefined> {
  const { position } = partitionKeys(namespace, partition);
  const [next, intersections] = await redis.hmget(position, "next", "intersections");
  if (next == null) return undefined;
  return { next: Number(next), intersections: Number(intersections ?? 0) };
}

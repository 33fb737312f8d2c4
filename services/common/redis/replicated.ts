// Writes that only Redis has, and whose caller was told that they are done. A Cluster answers before a replica has the
// write, and a replica that takes over without it would lose it for good.
import type { Cluster } from "ioredis";

/** A replica has a write within a millisecond, unless it is away or behind. */
const REPLICA_MS = 200;
/** Other commands wait behind WAIT, so it is left out for a while after no replica has answered. */
const LEFT_OUT_MS = 5_000;

const leftOutUntil = new WeakMap<Cluster, number>();

/**
 * Resolves with the reply when one replica has the write too, or when none has answered in time: a Cluster that has
 * just lost a server would otherwise refuse everything until the server is back.
 */
export async function callReplicated(
  redis: Cluster,
  command: string,
  args: readonly (string | number)[],
): Promise<unknown> {
  const isLeftOut = performance.now() < (leftOutUntil.get(redis) ?? 0);
  const pipeline = redis.pipeline().call(command, ...args);
  const replies = await (isLeftOut ? pipeline : pipeline.wait(1, REPLICA_MS)).exec();
  const [[error, reply] = [null, null], [, replicas] = [null, null]] = replies ?? [];
  if (error !== null) throw error;
  if (replicas === 0) leftOutUntil.set(redis, performance.now() + LEFT_OUT_MS);
  return reply;
}

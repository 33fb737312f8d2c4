// Writes that only Redis has, and whose caller was told that they are done. A Cluster answers before a replica has the
// write, and a replica that takes over without it would lose it for good.
import { type Cluster, ReplyError } from "ioredis";
import { hashSlotOf } from "./hash-slot.ts";

/** The event of a Cluster with the error of a server that refuses WAIT. */
export const WAIT_REFUSED = "wait refused";

/** A replica has a write within a millisecond, unless it is away or behind. */
const REPLICA_MS = 200;
/** Other commands wait behind WAIT, so it is left out for a while after no replica has answered. */
const LEFT_OUT_MS = 5_000;

interface Master {
  leftOutUntil: number;
  isRefusalKnown: boolean;
}

/** A master without a replica must not switch WAIT off for the others. */
const mastersOf = new WeakMap<Cluster, Map<string, Master>>();

type Argument = string | number;
type Answer = readonly [error: Error | null, reply?: unknown];

/**
 * Resolves with the reply when one replica has the write too, or when none has answered in time: a Cluster that has
 * just lost a server would otherwise refuse everything until the server is back. Rejects when the connection is lost
 * before a replica has answered: the write may be lost with the server.
 */
export async function callReplicated(redis: Cluster, command: string, args: readonly Argument[]): Promise<unknown> {
  const slot = hashSlotOf(String(command === "eval" ? args[2] : args[0]));
  const address = addressOf(redis, slot);
  if (performance.now() < masterAt(redis, address).leftOutUntil) return redis.call(command, [...args]);
  const answers = await redis
    .pipeline()
    .call(command, ...args)
    .wait(1, REPLICA_MS)
    .exec();
  const [[error, reply] = [null], waited = [null]]: readonly Answer[] = answers ?? [];
  if (error === null) {
    note(redis, address, waited);
    return reply;
  }
  if (!/^(MOVED|ASK|TRYAGAIN) /.test(error.message)) throw error;
  // The client sends a command again where the answer says, but not a pipeline whose WAIT has succeeded.
  const moved = await redis.call(command, [...args]);
  // The slots that the client knows may be those of a node that has not heard of the move.
  const [, , named] = error.message.split(" ");
  await waitAt(redis, /^(MOVED|ASK) /.test(error.message) && named !== undefined ? named : addressOf(redis, slot));
  return moved;
}

const addressOf = (redis: Cluster, slot: number): string => redis.slots[slot]?.[0] ?? "";

/** WAIT is about the writes of its own connection, and a Cluster has one connection to each node. */
async function waitAt(redis: Cluster, address: string): Promise<void> {
  const node = redis.nodes().find(({ options: { host, port } }) => `${host}:${port}` === address);
  if (node === undefined) throw new Error(`Connection is closed: ${address}`);
  const replicas = node.wait(1, REPLICA_MS);
  const answer = await replicas.then(
    (count): Answer => [null, count],
    (error): Answer => [error],
  );
  note(redis, address, answer);
}

function note(redis: Cluster, address: string, [error, replicas]: Answer): void {
  const master = masterAt(redis, address);
  if (error === null) {
    master.isRefusalKnown = false;
    if (replicas === 0) master.leftOutUntil = performance.now() + LEFT_OUT_MS;
    return;
  }
  if (!(error instanceof ReplyError)) throw error;
  if (!master.isRefusalKnown) redis.emit(WAIT_REFUSED, error);
  master.isRefusalKnown = true;
}

function masterAt(redis: Cluster, address: string): Master {
  const masters = mastersOf.get(redis) ?? new Map<string, Master>();
  mastersOf.set(redis, masters);
  const master = masters.get(address) ?? { leftOutUntil: 0, isRefusalKnown: false };
  masters.set(address, master);
  return master;
}

// Queues on a real Redis, without topics and receivers.
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { parseQueueId } from "../../../projections/webhooks/deliveries/queue-id.ts";
import { causeOf, waitingSignal } from "../../../projections/webhooks/deliveries/waiting.ts";
import { deliveryKeys } from "../../../schemas/redis-keys.ts";
import type { Arrived } from "../../../services/webhooks/queue/accept.ts";
import type { QueueRequest } from "../../../services/webhooks/queue/next-delivery.ts";
import type { PayloadBudget } from "../../../services/webhooks/queue/payload-budget.ts";
import { createQueue, type QueueOptions } from "../../../services/webhooks/queue/queue.ts";
import { useRedis } from "../../support/running/redis.ts";
import { signalRaised } from "../../support/scenes/signals.ts";

export const KIB = 1024;
export const bounds = {
  lagMs: 86_400_000,
  maxWaiting: 1_000,
  maxBytes: 1_000 * KIB,
  batchSignals: 1_000,
  batchBytes: 500 * KIB,
};
export const now = Date.now();

export const budgetOf = (bytes: number): PayloadBudget => ({ of: async () => bytes });
const ENDLESS = budgetOf(Number.MAX_SAFE_INTEGER);

type Given = Partial<Pick<Arrived, "mode" | "refusal" | "configBytes">> & {
  readonly bytes?: number;
  readonly id?: string;
  readonly isUpdate?: boolean;
  readonly from?: number;
  /** The clock of the service, ms. */
  readonly clock?: number;
  /** The same of the broker. */
  readonly createdAt?: number;
};

/** For the tests of a file. */
export function useQueues() {
  const { client: redis, namespace } = useRedis("queue", 1);
  let partitions = 0;

  /** Opens the queue of a partition that no other test uses. */
  async function openQueue(
    given: Partial<Pick<QueueOptions, "partition" | "payloadBudget" | "namespace" | "bounds">> = {},
  ) {
    const { partition = partitions++, payloadBudget = ENDLESS } = given;
    const options = { redis, namespace, bounds, payloadBudget, ...given, partition };
    let offset = 0;
    const queue = createQueue({ ...options, owner: randomUUID() });
    await queue.claim();
    await queue.begin(0, "log");
    function arrived(queueId: Arrived["queueId"], nth: number, given: Given = {}): Arrived {
      const { bytes = 10, mode = "streaming", refusal, id = randomUUID(), isUpdate = false, createdAt = now } = given;
      const { configBytes = 0 } = given;
      const { subscriptionId, generation } = parseQueueId(queueId);
      const fields = { generation, id, signal: isUpdate ? "track_updated" : "track_created" } as const;
      const raised = signalRaised(subscriptionId, nth, { ...fields, state: JSON.stringify("x".repeat(bytes)) });
      const waiting = waitingSignal(raised, createdAt);
      return { queueId, mode, cause: causeOf(raised, new Map()), waiting, refusal, configBytes };
    }
    /** All at once. */
    async function arriveAt(queueIds: readonly Arrived["queueId"][], given: Given = {}): Promise<void> {
      const { from = offset, clock = now } = given;
      offset += queueIds.length;
      const signals = queueIds.map((queueId, i) => arrived(queueId, from + 1 + i, given));
      await queue.accept({ from, to: offset, now: clock, signals });
    }
    /** Returns the id of the signal. */
    async function arrive(queueId: Arrived["queueId"], given: Given = {}): Promise<string> {
      const { id = randomUUID() } = given;
      await arriveAt([queueId], { ...given, id });
      return id;
    }
    const ask = (queueId: Arrived["queueId"], given: Partial<QueueRequest> = {}) =>
      queue.take({ queueId, now, version: "v1", batchMs: undefined, isStopped: false, ...given });
    const take = async (queueId: Arrived["queueId"], isStopped = false) => (await ask(queueId, { isStopped })).head;
    /** Ids and statuses of what the log is to be told of signals that were not sent. */
    async function dropped(): Promise<readonly string[]> {
      const entries = (await queue.outbox(1_000, 1_000_000 * KIB)).map((entry) => JSON.parse(entry).unsent);
      for (const { status, reason } of entries) expect([status, reason]).toEqual(["failed", "dropped: no room"]);
      return entries.map(({ item }) => item.id);
    }
    const fail = async (queueId: Arrived["queueId"]) => {
      const head = await take(queueId);
      await queue.retry(queueId, head?.id ?? "", [], now + 60_000);
    };
    const waiting = async (queueId: Arrived["queueId"]) => redis.zrange(keys.of(queueId).queue, "0", "-1");
    const held = async () => Number(await redis.hget(keys.position, "bytes"));
    const keys = deliveryKeys(options.namespace, partition);
    /** Acts as if so many bytes more waited to be written to the delivery log. */
    const fillOutbox = async (bytes: number) => redis.hincrby(keys.position, "outboxBytes", bytes);
    const outboxBytes = async () => Number(await redis.hget(keys.position, "outboxBytes"));
    return { queue, partition, arrive, arriveAt, ask, take, fail, dropped, waiting, held, fillOutbox, outboxBytes };
  }

  return { namespace, openQueue, redis };
}

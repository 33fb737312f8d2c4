// The one loop: takes signals from the log into the queues. The position is in the queues' store and moves with them in
// one step, so every signal is in a queue before it counts as read.
import { randomUUID } from "node:crypto";
import { queueIdOf, subscriptionOf } from "../../projections/deliveries/queue-id.ts";
import { causeOf, waitingSignal } from "../../projections/deliveries/waiting.ts";
import type { Subscriptions } from "../../projections/subscriptions/subscriptions.ts";
import type { Codec } from "../../schemas/codec.ts";
import { messageOf } from "../../schemas/errors.ts";
import { readMessage } from "../../schemas/read-message.ts";
import type { SignalRaised } from "../../schemas/records/signal-raised.ts";
import type { GroupReader, Taken } from "../common/kafka/group-reader.ts";
import type { PartitionId } from "../common/kafka/inboxes.ts";
import { ForeignPosition } from "../common/kafka/start-offset.ts";
import type { Part } from "../common/lifecycle.ts";
import type { Log } from "../common/log.ts";
import { patiently } from "../common/patiently.ts";
import type { IdSet } from "./id-set.ts";
import { type Arrived, NotOwner, type Queue } from "./queue.ts";
import type { Tenure } from "./tenure.ts";

export interface IntakeDeps {
  readonly reader: GroupReader;
  readonly codec: Codec;
  readonly log: Log;
  readonly subscriptions: Subscriptions;
  readonly createQueue: (partition: number, owner: string) => Queue;
  readonly createTenure: (queue: Queue, onLost: () => void, onFailed: (error: unknown) => void) => Tenure;
  /** The id of the log that each topic's name leads to now, by the topic. */
  readonly logIds: () => Promise<ReadonlyMap<string, string>>;
  /** Stops the subscriptions of these partitions whose tokens were revoked. */
  readonly stopRevoked: (isOwned: (partition: number) => boolean) => Promise<void>;
  /** The ids of the signals of these partitions whose deliveries have ended. */
  readonly finished: (isOwned: (partition: number) => boolean) => Promise<Finished>;
}

type Finished = Pick<IdSet, "has">;

export interface Intake extends Part {
  readonly failed: Promise<never>;
  /** The partition that the subscription belongs to, while this process owns it. */
  tenureOf(partition: number): Tenure | undefined;
  /** Looks at once for what it else finds within a second. */
  lookNow(): void;
}

interface Owned {
  readonly id: PartitionId;
  readonly tenure: Tenure;
  next: number;
  logIds: ReadonlyMap<string, string>;
  /** Set while signals are read again that may have been delivered before Redis lost its memory of them. */
  finished: Finished | undefined;
  isLost: boolean;
}

const IDLE_MS = 1_000;
const PORTION = 250;

export function createIntake(deps: IntakeDeps): Intake {
  const { reader, codec, log, subscriptions } = deps;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const stopping = new AbortController();
  const patience = { log, signal: stopping.signal };
  const owned = new Map<number, Owned>();
  const ended = new Set<Promise<void>>();
  let working: Promise<void> | undefined;

  let lookAt = 0;
  let looking: Promise<void> | undefined;

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const { assigned, batches } = await reader.next(IDLE_MS);
      if (assigned !== undefined) await assign(assigned);
      await Promise.all(batches.map(take));
      await takeOver([...owned.values()].filter(({ isLost }) => isLost).map(({ id }) => id));
      if (performance.now() < lookAt || looking !== undefined) continue;
      lookAt = performance.now() + IDLE_MS;
      // No signal waits for it.
      looking = look().finally(() => {
        looking = undefined;
      });
    }
    await looking;
  }

  async function assign(ids: readonly PartitionId[]): Promise<void> {
    for (const partition of owned.keys()) if (!ids.some((id) => id.partition === partition)) letGo(partition);
    const others: PartitionId[] = [];
    for (const id of ids) {
      const known = owned.get(id.partition);
      const isOurs =
        known !== undefined && (await patiently("ask for the owner", known.tenure.queue.isOwned, patience));
      // Nobody else has had it meanwhile: its deliveries simply go on.
      if (isOurs && !known.tenure.isOver()) await reader.begin([{ ...id, offset: known.next }]);
      else others.push(id);
    }
    await takeOver(others);
    log.info({ partitions: ids.length }, "partitions assigned");
  }

  function letGo(partition: number): void {
    const ending = owned.get(partition)?.tenure.end();
    owned.delete(partition);
    if (ending === undefined) return;
    const tracked: Promise<void> = ending.finally(() => ended.delete(tracked));
    ended.add(tracked);
  }

  async function takeOver(ids: readonly PartitionId[]): Promise<void> {
    if (ids.length === 0) return;
    const logIds = await patiently("ask for the log", deps.logIds, patience);
    const partitions = new Set(ids.map(({ partition }) => partition));
    let finished: Promise<Finished> | undefined;
    const once = () => {
      const read = () => deps.finished((partition) => partitions.has(partition));
      finished ??= patiently("read what is finished", read, patience);
      return finished;
    };
    for (const id of ids) await takeOne(id, logIds, once);
  }

  async function takeOne(
    id: PartitionId,
    logIds: ReadonlyMap<string, string>,
    readFinished: () => Promise<Finished>,
  ): Promise<void> {
    letGo(id.partition);
    const queue = deps.createQueue(id.partition, randomUUID());
    const logId = logIds.get("signals") ?? "";
    const known = await patiently("claim a partition", queue.claim, patience);
    const isKnown = known.next !== undefined && known.logId === logId;
    // Without a position Redis is new, or has lost what waited: the log still has it, and knows what is finished.
    const finished = isKnown ? undefined : await readFinished();
    const next = await begin(id, isKnown ? known.next : undefined);
    const lost = () => {
      each.isLost = true;
      reader.wake();
    };
    const each: Owned = {
      id,
      tenure: deps.createTenure(queue, lost, failed.reject),
      next,
      logIds,
      finished,
      isLost: false,
    };
    owned.set(id.partition, each);
    try {
      await patiently("begin a partition", () => queue.begin(next, logId), patience);
      await each.tenure.resume();
    } catch (error) {
      if (!(error instanceof NotOwner)) throw error;
      each.isLost = true;
    }
  }

  async function begin(id: PartitionId, offset: number | undefined): Promise<number> {
    try {
      const [next = 0] = await reader.begin([{ ...id, offset }]);
      return next;
    } catch (error) {
      if (!(error instanceof ForeignPosition)) throw error;
      // Signals are kept for a day and repetitions are dropped, so reading all of a shortened log harms nobody.
      log.warn({ err: messageOf(error), ...id }, "the log lost its end");
      const [next = 0] = await reader.begin([{ ...id, offset: undefined }]);
      return next;
    }
  }

  async function take(batch: Taken): Promise<void> {
    const each = owned.get(batch.partition);
    if (each === undefined || each.isLost) return;
    await codec.learn(batch.messages.map(({ value }) => value));
    try {
      for (let first = 0; first === 0 || first < batch.messages.length; first += PORTION) {
        const portion = batch.messages.slice(first, first + PORTION);
        const next = batch.messages[first + PORTION]?.offset ?? batch.next;
        await accept(each, arrivedOf(portion, each), Number(next));
      }
    } catch (error) {
      if (!(error instanceof NotOwner)) throw error;
      each.isLost = true;
    }
    if (batch.next >= batch.highWatermark) each.finished = undefined;
  }

  async function accept(each: Owned, signals: readonly Arrived[], to: number): Promise<void> {
    const { tenure, next: from } = each;
    const arrival = { from, to, now: Date.now(), signals };
    await patiently("take signals in", () => tenure.queue.accept(arrival), patience);
    each.next = to;
    for (const id of new Set(signals.map(({ queueId }) => queueId))) tenure.wake(id);
    tenure.tell();
  }

  function arrivedOf(messages: Taken["messages"], { logIds, finished }: Owned): Arrived[] {
    return messages.flatMap(({ value, offset, timestamp }) => {
      const read = readMessage(codec, "signals", value);
      if (!read.ok) {
        log.warn({ offset, reason: read.reason }, "message skipped");
        return [];
      }
      if (finished?.has(read.event.id) === true) return [];
      return [arrived(read.event, Number(timestamp), logIds)];
    });
  }

  function arrived(raised: SignalRaised, createdAt: number, logIds: ReadonlyMap<string, string>): Arrived {
    const queueId = queueIdOf(raised);
    const subscription = subscriptionOf(subscriptions, queueId);
    const stopped = subscription?.stopped;
    return {
      queueId,
      mode: subscription?.mode ?? "streaming",
      cause: causeOf(raised, logIds),
      waiting: waitingSignal(raised, createdAt),
      refusal: stopped === undefined ? flawOf(raised) : `deliveries are stopped: ${stopped.reason}`,
    };
  }

  /** What scripts cannot tell us: Redis that lost everything, and requests whose notice was lost. */
  async function look(): Promise<void> {
    try {
      const held = [...owned.values()];
      await Promise.all(held.map(lookAtOne));
      await deps.stopRevoked((partition) => owned.get(partition)?.isLost === false);
      await reader.commit(held.filter(({ isLost }) => !isLost).map(({ id, next }) => ({ ...id, next })));
    } catch (error) {
      log.warn({ err: messageOf(error) }, "cannot look at the queues");
    }
  }

  async function lookAtOne(each: Owned): Promise<void> {
    if (await each.tenure.queue.isOwned()) return each.tenure.look();
    each.isLost = owned.get(each.id.partition) === each && reader.owns(each.id);
    if (each.isLost) reader.wake();
  }

  return {
    name: "intake",
    failed: failed.promise,
    tenureOf: (partition) => owned.get(partition)?.tenure,
    lookNow() {
      lookAt = 0;
      reader.wake();
    },
    async start() {
      await reader.start();
      working = work().catch((error) => failed.reject(error));
    },
    async stop() {
      stopping.abort();
      reader.wake();
      await working;
      for (const partition of [...owned.keys()]) letGo(partition);
      await Promise.all(ended);
      await reader.stop();
    },
  };
}

function flawOf({ state }: SignalRaised): string | undefined {
  try {
    JSON.parse(state);
    return undefined;
  } catch {
    return "the state is no JSON";
  }
}

// The one loop: takes signals from the log into the queues. The position is in the queues' store and moves with them in
// one step, so every signal is in a queue before it counts as read.
import { randomUUID } from "node:crypto";
import type { Subscriptions } from "../../projections/subscriptions/subscriptions.ts";
import type { Codec } from "../../schemas/codec.ts";
import { messageOf } from "../../schemas/errors.ts";
import { isHopeless } from "../common/hopeless.ts";
import type { GroupReader, Taken } from "../common/kafka/group-reader.ts";
import type { PartitionId } from "../common/kafka/inboxes.ts";
import { ForeignPosition } from "../common/kafka/start-offset.ts";
import type { Part } from "../common/lifecycle.ts";
import type { Log } from "../common/log.ts";
import { patiently } from "../common/patiently.ts";
import { createArrivals, type Finished } from "./arrivals.ts";
import { AGAIN_MS, catchUp, type Held } from "./held.ts";
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
  /** Resolves when `subscriptions` has all that the log had at the call; rejects when that takes too long. */
  readonly caughtUp: () => Promise<void>;
  /** Stops the subscriptions of these partitions whose tokens were revoked. */
  readonly stopRevoked: (isOwned: (partition: number) => boolean) => Promise<void>;
  /** What these partitions need to read their signals again. */
  readonly afresh: (isOwned: (partition: number) => boolean) => Promise<Afresh>;
}

/** For partitions of which Redis knows nothing. */
export interface Afresh {
  /** The ids of the signals whose deliveries have ended, of all that `from` does not leave out. */
  readonly finished: Finished;
  /** Where to begin, by partition. */
  readonly from: ReadonlyMap<number, number>;
}

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
  /** Nothing else of the partition is read before it. */
  held: Held | undefined;
  isLost: boolean;
}

const IDLE_MS = 1_000;
const PORTION = 250;

export function createIntake(deps: IntakeDeps): Intake {
  const { reader, codec, log } = deps;
  const arrivals = createArrivals(deps);
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const stopping = new AbortController();
  const patience = { log, signal: stopping.signal };
  const owned = new Map<number, Owned>();
  const ended = new Set<Promise<void>>();
  let working: Promise<void> | undefined;

  let lookAt = 0;
  let looking: Promise<void> | undefined;
  let telling: Promise<void> | undefined;

  const isReady = ({ partition }: PartitionId) => owned.get(partition)?.held === undefined;

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const { assigned, batches } = await reader.next(IDLE_MS, isReady);
      if (assigned !== undefined) await assign(assigned);
      await Promise.all([...due(), ...batches].map(take));
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

  const due = (): Taken[] =>
    [...owned.values()].flatMap(({ held }) =>
      held !== undefined && held.until <= performance.now() ? [held.batch] : [],
    );

  async function assign(ids: readonly PartitionId[]): Promise<void> {
    for (const partition of owned.keys()) if (!ids.some((id) => id.partition === partition)) letGo(partition);
    const others: PartitionId[] = [];
    for (const id of ids) {
      const known = owned.get(id.partition);
      const isOurs =
        known !== undefined && (await patiently("ask for the owner", known.tenure.queue.isOwned, patience));
      if (isOurs && !known.tenure.isOver()) {
        // Nobody else has had it meanwhile: its deliveries simply go on.
        known.held = undefined;
        // A log that lost its end may be another one, with causes of its own.
        if ((await begin(id, known.next)) < known.next) others.push(id);
      } else others.push(id);
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
    let afresh: Promise<Afresh> | undefined;
    const once = () => {
      const read = () => deps.afresh((partition) => partitions.has(partition));
      afresh ??= patiently("read what is finished", read, patience);
      return afresh;
    };
    for (const id of ids) await takeOne(id, logIds, once);
  }

  async function takeOne(
    id: PartitionId,
    logIds: ReadonlyMap<string, string>,
    readAfresh: () => Promise<Afresh>,
  ): Promise<void> {
    letGo(id.partition);
    const queue = deps.createQueue(id.partition, randomUUID());
    const logId = logIds.get("signals") ?? "";
    const known = await patiently("claim a partition", queue.claim, patience);
    const isKnown = known.next !== undefined && known.logId === logId;
    // Without a position Redis is new, or has lost what waited: the log still has it, and knows what is finished.
    const afresh = isKnown ? undefined : await readAfresh();
    const next = await begin(id, isKnown ? known.next : afresh?.from.get(id.partition));
    const lost = () => {
      each.isLost = true;
      reader.wake();
    };
    const each: Owned = {
      id,
      tenure: deps.createTenure(queue, lost, failed.reject),
      next,
      logIds,
      finished: afresh?.finished,
      held: undefined,
      isLost: false,
    };
    try {
      await patiently("begin a partition", () => queue.begin(next, logId), patience);
      // Whoever looks at it from now on finds its position there.
      owned.set(id.partition, each);
      await each.tenure.resume();
    } catch (error) {
      if (!(error instanceof NotOwner)) throw error;
      each.isLost = true;
      owned.set(id.partition, each);
    }
  }

  async function begin(id: PartitionId, offset: number | undefined): Promise<number> {
    const from = async (start: number | undefined) => {
      const [next = 0] = await patiently("begin to read", () => reader.begin([{ ...id, offset: start }]), patience);
      return next;
    };
    try {
      return await from(offset);
    } catch (error) {
      if (!(error instanceof ForeignPosition)) throw error;
      // Signals are kept for a day and repetitions are dropped, so reading all of a shortened log harms nobody.
      log.warn({ err: messageOf(error), ...id }, "the log lost its end");
      return from(undefined);
    }
  }

  /** Never waits for long: the other partitions wait for it. */
  async function take(batch: Taken): Promise<void> {
    const each = owned.get(batch.partition);
    if (each === undefined || each.isLost) return;
    const hasCaughtUp = each.held?.hasCaughtUp ?? false;
    each.held = undefined;
    let first = 0;
    const hold = (until: number): Held => {
      const held = { batch: { ...batch, messages: batch.messages.slice(first) }, until, hasCaughtUp };
      each.held = held;
      return held;
    };
    try {
      await codec.learn(batch.messages.map(({ value }) => value));
      for (; first === 0 || first < batch.messages.length; first += PORTION) {
        const signals = arrivals.read(batch.messages.slice(first, first + PORTION), each.finished);
        if (!hasCaughtUp && signals.some(arrivals.isInDoubt)) {
          const { caughtUp } = deps;
          const waiting = hold(Number.POSITIVE_INFINITY);
          void catchUp(waiting, { caughtUp, log, onFailed: failed.reject }).then(reader.wake);
          return;
        }
        const next = batch.messages[first + PORTION]?.offset ?? batch.next;
        await accept(
          each,
          signals.map((signal) => arrivals.judge(signal, each.logIds)),
          Number(next),
        );
      }
    } catch (error) {
      if (error instanceof NotOwner) {
        each.isLost = true;
        return;
      }
      if (isHopeless(error)) throw error;
      log.warn({ err: messageOf(error), partition: batch.partition }, "cannot take signals in yet");
      hold(performance.now() + AGAIN_MS);
      return;
    }
    if (batch.next >= batch.highWatermark) each.finished = undefined;
  }

  async function accept(each: Owned, signals: readonly Arrived[], to: number): Promise<void> {
    const { tenure, next: from } = each;
    await tenure.queue.accept({ from, to, now: Date.now(), signals });
    each.next = to;
    for (const id of new Set(signals.map(({ queueId }) => queueId))) tenure.wake(id);
    tenure.tell();
  }

  /** What scripts cannot tell us: Redis that lost everything, and requests whose notice was lost. */
  async function look(): Promise<void> {
    try {
      const held = [...owned.values()];
      await Promise.all(held.map(lookAtOne));
      if (telling !== undefined) return;
      telling = tellLog(held).finally(() => {
        telling = undefined;
      });
    } catch (error) {
      log.warn({ err: messageOf(error) }, "cannot look at the queues");
    }
  }

  /** No look waits for it: the log may be away for long. */
  async function tellLog(held: readonly Owned[]): Promise<void> {
    try {
      await deps.stopRevoked((partition) => owned.get(partition)?.isLost === false);
      await reader.commit(held.filter(({ isLost }) => !isLost).map(({ id, next }) => ({ ...id, next })));
    } catch (error) {
      log.warn({ err: messageOf(error) }, "cannot tell the log");
    }
  }

  async function lookAtOne(each: Owned): Promise<void> {
    // As of before the question: it only grows.
    const { next } = each;
    const kept = await each.tenure.queue.position();
    // A Redis that came back without its newest second has the owner, and an older position.
    if (kept !== undefined && kept >= next) return each.tenure.look();
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

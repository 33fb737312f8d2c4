// The one loop: take what the reader has, fold it, give out what follows, write live state, remember the position.
// While one round of a partition is on its way to Kafka and Redis the next is folded; its rounds finish in order. Partitions
// do not wait for one another.
import { setImmediate } from "node:timers/promises";
import { type GroupReader, valuesOf } from "../common/kafka/group-reader.ts";
import type { PartitionId } from "../common/kafka/inboxes.ts";
import type { OffsetRange } from "../common/kafka/offsets.ts";
import type { Publisher } from "../common/kafka/publisher.ts";
import type { Part } from "../common/lifecycle.ts";
import type { Patience } from "../common/patiently.ts";
import { finishRound } from "./finish-round.ts";
import { type FoldDeps, foldRound } from "./fold-round.ts";
import { createHoldings } from "./holdings.ts";
import type { LiveStore } from "./live-store.ts";
import { createLogEnds } from "./log-ends.ts";
import { canFold, type Owned, type Round } from "./owned.ts";
import { createPartitionPublishers } from "./partition-publishers.ts";
import type { TakenOver } from "./take-over.ts";

export interface StateMachineDeps extends Omit<FoldDeps, "logEnds"> {
  readonly reader: GroupReader;
  readonly publisher: Publisher;
  /** One more of the same, not started: for a partition that the log refuses. */
  readonly createPublisher: () => Publisher;
  readonly store: LiveStore;
  readonly takeOver: (partitions: readonly number[]) => Promise<TakenOver[]>;
  /** Asks the broker for what the camera-log holds now. */
  readonly logRanges: () => Promise<readonly OffsetRange[]>;
}

const IDLE_MS = 200;
const COMMIT_EVERY_MS = 2_000;
/** Folding gives way to other work of this process after this. */
const YIELD_AFTER_MS = 20;

export function createStateMachine(deps: StateMachineDeps): Part {
  const { reader, store, codec, outputs, log, now } = deps;
  const topic = outputs.topics.cameraLog;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const stopping = new AbortController();
  let failureAtStop: { readonly error: unknown } | undefined;
  let loop: Promise<void> | undefined;
  let committedAt = 0;
  let committing: Promise<void> = Promise.resolve();

  const patience: Patience = { log, signal: stopping.signal };
  const publishers = createPartitionPublishers({ shared: deps.publisher, createOwn: deps.createPublisher, log });
  const logEnds = createLogEnds({ ask: deps.logRanges, now, log, onAnswer: () => reader.wake() });
  const { takeOver } = deps;
  const holdings = createHoldings({ reader, store, topic, takeOver, log, patience, onFailure: fail });
  const foldDeps = { ...deps, logEnds };
  const intersectionsTopic = outputs.topics.intersections;
  const finishDeps = { publishers, store, intersectionsTopic, isOurs: holdings.isOurs, log, patience };

  async function work(): Promise<void> {
    try {
      while (!stopping.signal.aborted) await step();
      // This process writes what it has folded before others may begin.
      await Promise.all(holdings.all().map(({ finished }) => finished));
    } finally {
      await holdings.letGo();
      await Promise.all([committing, publishers.reset()]);
    }
  }

  async function step(): Promise<void> {
    const { assigned, batches } = await reader.next(holdings.all().some(hasMore) ? 0 : IDLE_MS, isReady);
    if (assigned !== undefined) {
      await holdings.assign(assigned.map(({ partition }) => partition));
      await publishers.reset();
      return;
    }
    await codec.learn(valuesOf(batches));
    for (const { partition, messages, next } of batches) {
      const mine = holdings.get(partition);
      if (mine === undefined) continue;
      mine.unread = messages;
      mine.readUpTo = next;
    }
    await foldAll();
    holdings.takeLostAgain();
    logEnds.askWhenDue();
    commitWhenDue();
  }

  /** A partition that cannot go on leaves its messages with the reader, which pauses it when they are too many. */
  function isReady({ partition }: PartitionId): boolean {
    const mine = holdings.get(partition);
    return mine !== undefined && canFold(mine) && mine.unread.length === 0;
  }

  const hasMore = (mine: Owned): boolean => mine.unread.length > 0 && canFold(mine);

  /** Folds a portion of each partition. In between, heartbeats go out and answers come in. */
  async function foldAll(): Promise<void> {
    let since = performance.now();
    for (const mine of holdings.all()) {
      if (!canFold(mine)) continue;
      const round = foldRound(mine, foldDeps);
      if (round !== undefined) finish(round);
      if (performance.now() - since < YIELD_AFTER_MS) continue;
      await setImmediate();
      since = performance.now();
    }
  }

  function finish(round: Round): void {
    const { owned: mine } = round;
    const isEverything = "everything" in round.save.changes;
    if (isEverything) mine.frozen = true;
    mine.rounds += 1;
    mine.finished = mine.finished
      .then(() => finishRound(round, finishDeps))
      .catch((error) => {
        // A later round would be saved without this one.
        mine.abandoned = true;
        fail(error);
      })
      .then(() => {
        mine.rounds -= 1;
        if (isEverything) mine.frozen = false;
        reader.wake();
      });
  }

  /** Ends the work, and with it the process. If it is stopping already, `stop` rejects with the reason. */
  function fail(error: unknown): void {
    if (stopping.signal.aborted) failureAtStop ??= { error };
    failed.reject(error);
    stopping.abort();
  }

  /** Commits what is saved, not what is folded: a takeover believes the commit when Redis knows nothing. */
  function commitWhenDue(): void {
    if (now() - committedAt < COMMIT_EVERY_MS) return;
    const saved = holdings
      .all()
      .flatMap(({ partition, stored }) => (stored === undefined ? [] : [{ topic, partition, next: stored }]));
    if (saved.length === 0) return;
    committedAt = now();
    committing = reader.commit(saved);
  }

  return {
    name: "state-machine",
    failed: failed.promise,
    async start() {
      await reader.start();
      loop = work().catch(fail);
    },
    async stop() {
      stopping.abort();
      // While the last round is written nobody else may begin, so the group is left after it.
      await loop;
      await reader.stop();
      if (failureAtStop !== undefined) throw failureAtStop.error;
    },
  };
}

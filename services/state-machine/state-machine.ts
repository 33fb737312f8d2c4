// The one loop: take what the reader has, fold it, publish the outputs, write live state, remember the position.
import type { GroupReader, Taken } from "../common/kafka/group-reader.ts";
import type { PartitionId } from "../common/kafka/inboxes.ts";
import type { Ends } from "../common/kafka/partition-ends.ts";
import type { Publisher } from "../common/kafka/publisher.ts";
import type { Part } from "../common/lifecycle.ts";
import type { Patience } from "../common/patiently.ts";
import { createCaughtUp } from "./caught-up.ts";
import type { FoldDeps } from "./fold-round.ts";
import type { LiveStore } from "./live-store.ts";
import { canFold, type Owned } from "./owned.ts";
import { createOwnership, type Ownership } from "./ownership.ts";
import { createPartitionPublishers } from "./partition-publishers.ts";
import { createRounds } from "./rounds.ts";
import type { TakenOver } from "./take-over.ts";

export interface StateMachineDeps extends Omit<FoldDeps, "caughtUp"> {
  readonly reader: GroupReader;
  readonly publisher: Publisher;
  /** Makes one more such publisher, not started: for a partition that the log refuses. */
  readonly createPublisher: () => Publisher;
  readonly store: LiveStore;
  readonly takeOver: (partitions: readonly number[], signal: AbortSignal) => Promise<TakenOver[]>;
  /** Asks the brokers where the camera-log ends now, for readers. */
  readonly logEnds: () => Promise<Ends>;
}

const IDLE_MS = 200;

export function createStateMachine(deps: StateMachineDeps): Part {
  const { reader } = deps;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const stopping = new AbortController();
  let failureAtStop: { readonly error: unknown } | undefined;
  let working: Promise<void> | undefined;
  const { ownership, publishers, caughtUp, rounds, commits } = assembleWork(deps, stopping.signal, fail);

  async function work(): Promise<void> {
    try {
      while (!stopping.signal.aborted) await step();
      // This process writes what it has folded before others may begin.
      await Promise.all(ownership.all().map(({ finished }) => finished));
      commits.commit(ownership.all().filter((mine) => !mine.abandoned && ownership.isOurs(mine)));
    } finally {
      await ownership.letGo();
      await Promise.all([commits.settled(), publishers.reset()]);
    }
  }

  async function step(): Promise<void> {
    const { assigned, batches } = await reader.next(ownership.all().some(hasMore) ? 0 : IDLE_MS, isReady);
    if (assigned !== undefined) {
      await ownership.assign(assigned.map(({ partition }) => partition));
      await publishers.reset();
      return;
    }
    handOut(batches, ownership);
    await rounds.foldAll(ownership.all());
    ownership.takeLostAgain();
    caughtUp.askWhenDue();
    commits.commitWhenDue(ownership.all());
  }

  /** A partition that cannot go on leaves its messages with the reader, which pauses it when they are too many. */
  function isReady({ partition }: PartitionId): boolean {
    const mine = ownership.get(partition);
    return mine !== undefined && canFold(mine) && mine.unread.length === 0;
  }

  /** Ends the work, and with it the process. If it is stopping already, `stop` rejects with the reason. */
  function fail(error: unknown): void {
    if (stopping.signal.aborted) failureAtStop ??= { error };
    failed.reject(error);
    stopping.abort();
  }

  return {
    name: "state-machine",
    failed: failed.promise,
    async start() {
      await reader.start();
      working = work().catch(fail);
    },
    async stop() {
      stopping.abort();
      // While the last round is written nobody else may begin, so the group is left after it.
      await working;
      await reader.stop();
      if (failureAtStop !== undefined) throw failureAtStop.error;
    },
  };
}

function assembleWork(deps: StateMachineDeps, signal: AbortSignal, onFailure: (error: unknown) => void) {
  const { reader, store, outputs, log, elapsed, takeOver } = deps;
  const { cameraLog: topic, outputs: outputTopics } = outputs.topics;
  const patience: Patience = { log, signal };
  const ownership = createOwnership({ reader, store, topic, elapsed, takeOver, log, patience, onFailure });
  const publishers = createPartitionPublishers({ shared: deps.publisher, createOwn: deps.createPublisher, log });
  const caughtUp = createCaughtUp({
    ask: deps.logEnds,
    now: (partition) => ownership.get(partition)?.clock.now(),
    log,
    onAnswer: () => reader.wake(),
  });
  const rounds = createRounds({
    fold: { ...deps, caughtUp },
    finish: { publishers, store, outputTopics, isOurs: ownership.isOurs, log, patience },
    onFinished: () => reader.wake(),
    onFailure,
  });
  return { ownership, publishers, caughtUp, rounds, commits: createCommits(reader, topic, elapsed) };
}

const hasMore = (mine: Owned): boolean => mine.unread.length > 0 && !mine.waiting && canFold(mine);

function handOut(batches: readonly Taken[], ownership: Ownership): void {
  for (const { partition, messages, next } of batches) {
    const mine = ownership.get(partition);
    if (mine === undefined) continue;
    mine.unread = messages;
    mine.readUpTo = next;
    const newest = messages.at(-1);
    if (newest !== undefined) mine.clock.heard(Number(newest.timestamp));
  }
}

const COMMIT_EVERY_MS = 2_000;

/** Commits what is saved, not what is folded: a takeover believes the commit when Redis knows nothing. */
function createCommits(reader: GroupReader, topic: string, elapsed: () => number) {
  let committedAt = Number.NEGATIVE_INFINITY;
  let committing: Promise<void> = Promise.resolve();

  function commit(all: readonly Owned[]): void {
    const saved = all.flatMap(({ partition, stored }) =>
      stored === undefined ? [] : [{ topic, partition, next: stored }],
    );
    if (saved.length === 0) return;
    committedAt = elapsed();
    committing = reader.commit(saved);
  }

  return {
    settled: (): Promise<void> => committing,
    commit,
    commitWhenDue(all: readonly Owned[]): void {
      if (elapsed() - committedAt >= COMMIT_EVERY_MS) commit(all);
    },
  };
}

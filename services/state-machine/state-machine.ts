// The state machine's loop takes messages from the reader, folds them, publishes the outputs, and writes live state
// with the position.
import type { GroupReader } from "../common/kafka/read/group-reader.ts";
import type { PartitionId } from "../common/kafka/read/inboxes.ts";
import type { EndOffsets } from "../common/kafka/read/partition-ends.ts";
import type { Publisher } from "../common/kafka/write/publisher.ts";
import type { Part } from "../common/lifecycle.ts";
import type { Patience } from "../common/patiently.ts";
import { createOwnership } from "./ownership.ts";
import { createCatchUpCheck } from "./rounds/caught-up.ts";
import type { RoundDeps } from "./rounds/fold-round.ts";
import { createLedOutputs } from "./rounds/led-outputs.ts";
import { liveTracks } from "./rounds/metrics.ts";
import type { OwnedPartition } from "./rounds/owned-partition.ts";
import { createPartitionPublishers } from "./rounds/partition-publishers.ts";
import { createRounds } from "./rounds/rounds.ts";
import type { LiveStore } from "./store/live-store.ts";
import type { TakenOver } from "./take-over/taken-over.ts";

export interface StateMachineDeps extends Omit<RoundDeps, "caughtUp"> {
  readonly reader: GroupReader;
  readonly publisher: Publisher;
  /** Creates another publisher, not started, for a partition whose outputs the log has refused. */
  readonly createPublisher: () => Publisher;
  readonly store: LiveStore;
  readonly takeOver: (partitions: readonly number[], signal: AbortSignal) => Promise<TakenOver[]>;
  /** Requests the current read-committed end (last stable offset) of each partition. */
  readonly endsOf: (topic: string) => Promise<EndOffsets>;
}

const IDLE_MS = 200;

export function createStateMachine(deps: StateMachineDeps): Part {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const stopping = new AbortController();
  let failureAtStop: { readonly error: unknown } | undefined;
  let working: Promise<void> | undefined;

  /** Ends the work, and with it the process. If the process is already stopping, `stop` rejects with the reason. */
  function fail(error: unknown): void {
    if (stopping.signal.aborted) failureAtStop ??= { error };
    failed.reject(error);
    stopping.abort();
  }

  return {
    name: "state-machine",
    failed: failed.promise,
    async start() {
      await deps.reader.start();
      working = work(assembleWork(deps, stopping.signal, fail), stopping.signal).catch(fail);
    },
    async stop() {
      stopping.abort();
      // The group is left only after the last round is written: until then no other process may begin.
      await working;
      await deps.reader.stop();
      if (failureAtStop !== undefined) throw failureAtStop.error;
    },
  };
}

type Work = ReturnType<typeof assembleWork>;

function assembleWork(deps: StateMachineDeps, signal: AbortSignal, onFailure: (error: unknown) => void) {
  const { reader, store, outputs, log, elapsed, takeOver, endsOf, publisher } = deps;
  const { cameraLog: topic, outputs: outputTopics } = outputs.topics;
  const patience: Patience = { log, signal };
  const isOurs = ({ partition }: OwnedPartition) => reader.owns({ topic, partition });
  const ownership = createOwnership({ reader, store, topic, elapsed, takeOver, patience, onFailure });
  const publishers = createPartitionPublishers({ shared: publisher, createOwn: deps.createPublisher, log });
  const ledOutputs = createLedOutputs({
    topics: Object.values(outputTopics),
    endsOf,
    partitionOf: publisher.partitionOf,
    log,
  });
  const caughtUp = createCatchUpCheck({
    ask: () => endsOf(topic),
    now: (partition) => ownership.get(partition)?.expiry.clock.now(),
    log,
    onAnswer: () => reader.wake(),
  });
  const rounds = createRounds({
    fold: { ...deps, caughtUp },
    finish: { publishers, ledOutputs, store, outputTopics, isOurs, log, patience },
    onFinished: () => reader.wake(),
    onFailure,
  });
  return { reader, ownership, publishers, caughtUp, rounds, isOurs, commits: createCommits(reader, topic, elapsed) };
}

async function work(all: Work, stopping: AbortSignal): Promise<void> {
  const { ownership, publishers, commits, isOurs } = all;
  const endObserving = liveTracks.observe(() => ownership.all().map(({ fold }) => [{}, fold.state.tracks.size]));
  try {
    while (!stopping.aborted) await step(all);
    // This process must write everything that it has folded before others may begin.
    await Promise.all(ownership.all().map(({ rounds }) => rounds.written));
    commits.commit(ownership.all().filter((mine) => !mine.tenure.isOver && isOurs(mine)));
  } finally {
    endObserving();
    await ownership.end();
    await Promise.all([commits.settled(), publishers.reset()]);
  }
}

async function step({ reader, ownership, publishers, rounds, caughtUp, commits }: Work): Promise<void> {
  const hasMore = ownership.all().some(({ canFold, fold }) => canFold && fold.hasMore);
  // A partition that cannot continue leaves its messages with the reader, which pauses it when they are too many.
  const isReady = ({ partition }: PartitionId) => ownership.get(partition)?.isReady === true;
  const { assigned, batches } = await reader.next(hasMore ? 0 : IDLE_MS, isReady);
  if (assigned !== undefined) {
    await ownership.assign(assigned.map(({ partition }) => partition));
    await ownership.settled();
    await publishers.reset();
    return;
  }
  for (const batch of batches) ownership.get(batch.partition)?.take(batch);
  await rounds.foldAll(ownership.all());
  ownership.reclaimLost();
  caughtUp.askWhenDue();
  commits.commitWhenDue(ownership.all());
}

const COMMIT_EVERY_MS = 2_000;

/** Commits saved positions, not folded ones: a takeover relies on the commit when Redis has no position. */
function createCommits(reader: GroupReader, topic: string, elapsed: () => number) {
  let committedAt = Number.NEGATIVE_INFINITY;
  let committing: Promise<void> = Promise.resolve();

  function commit(all: readonly OwnedPartition[]): void {
    const saved = all.flatMap(({ partition, progress: { stored } }) =>
      stored === undefined ? [] : [{ topic, partition, next: stored }],
    );
    if (saved.length === 0) return;
    committedAt = elapsed();
    committing = reader.commit(saved);
  }

  return {
    settled: (): Promise<void> => committing,
    commit,
    commitWhenDue(all: readonly OwnedPartition[]): void {
      if (elapsed() - committedAt >= COMMIT_EVERY_MS) commit(all);
    },
  };
}

// The loop that takes signals from the log into the queues. Redis stores the position with the queues and changes both
// in one step, so a signal counts as read only when a queue holds it.
import type { TakenBatch } from "../../common/kafka/read/group-reader.ts";
import type { PartitionId } from "../../common/kafka/read/inboxes.ts";
import type { Part } from "../../common/lifecycle.ts";
import { OwnedPartitions } from "../../common/partitions/owned-partitions.ts";
import { type Patience, patiently } from "../../common/patiently.ts";
import { createChecks, type QueueChecksDeps } from "./checks.ts";
import type { DeliveryLanes } from "./delivery-lanes.ts";
import { lanes, oldestDeliverySeconds, waitingDeliveries } from "./metrics.ts";
import type { OwnedSignals } from "./owned-signals.ts";
import { createTakeIn, type TakeInDeps } from "./take-in.ts";
import { beginSignals, type SignalTakeOverDeps, takeOverSignals } from "./take-over.ts";
import { type ReceiverState, receiverStates } from "./waiting-deliveries.ts";

export type IntakeDeps = SignalTakeOverDeps & TakeInDeps & Pick<QueueChecksDeps, "stopRevoked">;

export interface SignalIntake extends Part {
  readonly failed: Promise<never>;
  /** @returns undefined while this process does not own the partition. */
  lanesOf(partition: number): DeliveryLanes | undefined;
  /** Checks at once; the loop would otherwise check within a second. */
  checkNow(): void;
}

const IDLE_MS = 1_000;

export function createSignalIntake(deps: IntakeDeps): SignalIntake {
  const { reader, log } = deps;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const stopping = new AbortController();
  const all = assembleIntake(deps, { log, signal: stopping.signal }, failed.reject);
  const endObserving = observeLanes(() => all.owned.all());
  let working: Promise<void> | undefined;

  return {
    name: "intake",
    failed: failed.promise,
    lanesOf: (partition) => all.owned.get(partition)?.lanes,
    checkNow() {
      all.checks.makeDue();
      reader.wake();
    },
    async start() {
      await reader.start();
      working = work(all, stopping.signal).catch(failed.reject);
    },
    async stop() {
      stopping.abort();
      reader.wake();
      await working;
      endObserving();
      await all.owned.end();
      await reader.stop();
    },
  };
}

function observeLanes(owned: () => readonly OwnedSignals[]): () => void {
  const age = (state: ReceiverState): number => {
    const oldestAt = Math.min(...owned().map(({ lanes }) => lanes.waiting.of(state).oldestAt));
    return Number.isFinite(oldestAt) ? Math.max(0, Date.now() - oldestAt) / 1_000 : 0;
  };
  const count = (state: ReceiverState): number =>
    owned().reduce((sum, { lanes }) => sum + lanes.waiting.of(state).deliveries, 0);
  const ends = [
    lanes.observe(() => owned().map((mine) => [{}, mine.lanes.count])),
    waitingDeliveries.observe(() => receiverStates.map((state) => [{ subscription: state }, count(state)])),
    oldestDeliverySeconds.observe(() => receiverStates.map((state) => [{ subscription: state }, age(state)])),
  ];
  return () => {
    for (const end of ends) end();
  };
}

type Intake = ReturnType<typeof assembleIntake>;

function assembleIntake(deps: IntakeDeps, patience: Patience, onFailure: (error: unknown) => void) {
  const { topic, reader, log } = deps;
  const owned = new OwnedPartitions<OwnedSignals>({
    topic,
    reader,
    takeOver: (partitions, assignment) => takeOverSignals(partitions, assignment, deps),
    goesOn: (mine) => goesOn(mine, deps, patience),
    release: ({ lanes }, ended) => lanes.finish(ended),
    patience,
    onFailure,
  });
  const takeIn = createTakeIn(deps, { onDue: reader.wake, onFailed: onFailure });
  return { reader, log, owned, takeIn, checks: createChecks({ ...deps, owned }) };
}

async function work(all: Intake, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) await step(all);
  await all.checks.settled();
}

async function step({ reader, log, owned, takeIn, checks }: Intake): Promise<void> {
  const isReady = ({ partition }: PartitionId) => owned.get(partition)?.isReady === true;
  const { assigned, batches } = await reader.next(IDLE_MS, isReady);
  if (assigned !== undefined) {
    await owned.assign(assigned.map(({ partition }) => partition));
    log.info({ partitions: assigned.length }, "partitions assigned");
  }
  const take = async (batch: TakenBatch) => {
    const mine = owned.get(batch.partition);
    if (mine !== undefined && !mine.tenure.isOver) await takeIn(mine, batch);
  };
  const due = owned.all().flatMap((mine) => mine.due(performance.now()) ?? []);
  await Promise.all([...due, ...batches].map(take));
  owned.reclaimLost();
  // Signals do not wait for the checks.
  checks.runWhenDue();
}

/** Returns true when no other process has owned the partition meanwhile: its deliveries continue without a takeover. */
async function goesOn(mine: OwnedSignals, deps: IntakeDeps, patience: Patience): Promise<boolean> {
  if (!(await patiently("ask for the owner", mine.queue.isOwned, patience))) return false;
  mine.resume();
  // A log that is now shorter may be a recreated one, whose signals have other causes. The partition is then taken
  // over.
  return ((await beginSignals(mine.id, mine.next, deps, patience)) ?? mine.next) >= mine.next;
}

// The camera-log partitions that this process works on. services/common/partitions has the story that is common to all
// owners of partitions; the state machine adds three things to it.
//
// Assigned. It lets go of all partitions at each assignment, because it keeps their state in memory.
//
// Claimed. A new owner waits until the earlier one has let go, or has been silent for too long (`untilFree`). It writes
// its name into the partition's position in Redis (`claimed`), and only then looks up which outputs the topics have:
// the next owner sees the claim and waits in turn. An owner shows that it is at work with every save, and with
// `staying` while it waits for the log.
//
// Fenced. Outputs are written only while the group has received a sign of life from us within the session time-out
// (`isOurs`, checked right before the request). Redis refuses a save unless the stored position is the one that this
// owner left there. So an owner that hangs and wakes up writes neither outputs nor live state.
import type { GroupReader } from "../common/kafka/read/group-reader.ts";
import { type Assignment, OwnedPartitions } from "../common/partitions/owned-partitions.ts";
import { type Patience, patiently } from "../common/patiently.ts";
import { OwnedPartition } from "./rounds/owned-partition.ts";
import type { LiveStore } from "./store/live-store.ts";
import { type ClaimedPartition, release } from "./take-over/claims.ts";
import type { TakenOver } from "./take-over/taken-over.ts";

export interface OwnershipOptions {
  readonly reader: GroupReader;
  readonly store: LiveStore;
  readonly topic: string;
  readonly elapsed: () => number;
  /**
   * Leaves out partitions without a leader. Resolves with an empty list when the signal aborts before the partitions
   * are free.
   */
  readonly takeOver: (partitions: readonly number[], signal: AbortSignal) => Promise<TakenOver[]>;
  readonly patience: Patience;
  readonly onFailure: (error: unknown) => void;
}

export type Ownership = OwnedPartitions<OwnedPartition>;

export function createOwnership(options: OwnershipOptions): Ownership {
  const { reader, store, topic, elapsed, onFailure } = options;
  const { log } = options.patience;
  const letGo = (claim: ClaimedPartition) => release(claim, store, log);

  async function takeOver(
    partitions: readonly number[],
    { patience, beginTenure, own }: Assignment<OwnedPartition>,
  ): Promise<void> {
    const { signal } = patience;
    const taken = await patiently("take over", () => options.takeOver(partitions, signal), patience);
    const begun = signal.aborted ? [] : await begin(partitions, taken, patience);
    if (signal.aborted) return void (await Promise.all(taken.map(letGo)));
    for (const [i, each] of taken.entries()) {
      own(each.partition, new OwnedPartition(each, begun[i] ?? each.begin, beginTenure(each.partition), elapsed));
    }
    if (taken.length > 0) log.info({ partitions: taken.map(({ partition }) => partition) }, "partitions taken over");
  }

  function begin(partitions: readonly number[], taken: readonly TakenOver[], during: Patience) {
    // The next assignment, which comes once a partition has leaders again, takes it over.
    const found = new Set(taken.map(({ partition }) => partition));
    for (const partition of partitions) if (!found.has(partition)) reader.postpone({ topic, partition });
    const starts = taken.map(({ partition, begin: offset }) => ({ topic, partition, offset }));
    return patiently("begin", () => reader.begin(starts), during);
  }

  return new OwnedPartitions({
    topic,
    reader,
    takeOver,
    release: async (mine, ended) => {
      await ended;
      await letGo(mine);
    },
    patience: options.patience,
    onFailure,
  });
}

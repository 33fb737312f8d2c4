// Takes partitions of the signals over: claim, position, reader, lanes.
import { randomUUID } from "node:crypto";
import { messageOf } from "../../../schemas/errors.ts";
import type { GroupReader } from "../../common/kafka/read/group-reader.ts";
import type { PartitionId } from "../../common/kafka/read/inboxes.ts";
import { ForeignPosition } from "../../common/kafka/read/start-offset.ts";
import type { Log } from "../../common/log.ts";
import { NotOwner } from "../../common/partitions/not-owner.ts";
import type { Assignment } from "../../common/partitions/owned-partitions.ts";
import type { Tenure } from "../../common/partitions/tenure.ts";
import { type Patience, patiently } from "../../common/patiently.ts";
import type { Queue } from "../queue/queue.ts";
import type { Finished } from "./arrivals.ts";
import type { DeliveryLanes } from "./delivery-lanes.ts";
import { OwnedSignals } from "./owned-signals.ts";

/** State for partitions about which Redis knows nothing. */
export interface Afresh {
  /** Ids of the signals whose deliveries have ended, among those from `from` on. */
  readonly finished: Finished;
  /** Offsets at which to start, by partition. */
  readonly from: ReadonlyMap<number, number>;
}

export interface SignalTakeOverDeps {
  readonly topic: string;
  readonly reader: GroupReader;
  readonly log: Log;
  /** `owner` is a token, new for each takeover. */
  readonly createQueue: (partition: number, owner: string) => Queue;
  readonly createLanes: (queue: Queue, tenure: Tenure) => DeliveryLanes;
  /** Ids of the topics that currently have these names, by topic. */
  readonly logIds: () => Promise<ReadonlyMap<string, string>>;
  /** Collects the state that these partitions need to read their signals again. */
  readonly afresh: (isOwned: (partition: number) => boolean) => Promise<Afresh>;
}

interface Findings {
  readonly logIds: ReadonlyMap<string, string>;
  /** Reads once for all partitions of a takeover. */
  readonly readAfresh: () => Promise<Afresh>;
}

export async function takeOverSignals(
  partitions: readonly number[],
  assignment: Assignment<OwnedSignals>,
  deps: SignalTakeOverDeps,
): Promise<void> {
  const { patience } = assignment;
  const logIds = await patiently("ask for the log", deps.logIds, patience);
  const wanted = new Set(partitions);
  let afresh: Promise<Afresh> | undefined;
  const readAfresh = () => {
    afresh ??= patiently("read what is finished", () => deps.afresh((partition) => wanted.has(partition)), patience);
    return afresh;
  };
  for (const partition of partitions) {
    // The next assignment may have given the rest to other processes, which would lose them by a claim.
    if (patience.signal.aborted) return;
    await takeOne(partition, { logIds, readAfresh }, assignment, deps);
  }
}

async function takeOne(
  partition: number,
  { logIds, readAfresh }: Findings,
  { patience, beginTenure, own }: Assignment<OwnedSignals>,
  deps: SignalTakeOverDeps,
): Promise<void> {
  const id = { topic: deps.topic, partition };
  const queue = deps.createQueue(partition, randomUUID());
  const logId = logIds.get("signals") ?? "";
  const known = await patiently("claim a partition", queue.claim, patience);
  const isKnown = known.next !== undefined && known.logId === logId;
  // Without a position, Redis is new or has lost the waiting signals: the log still has them, and the ends of
  // deliveries.
  const afresh = isKnown ? undefined : await readAfresh();
  const start = isKnown ? known.next : afresh?.from.get(partition);
  const next = (await beginSignals(id, start, deps, patience)) ?? start;
  // Nobody knows where to begin until the partition has a leader: it is assigned again then.
  if (next === undefined) return;
  const tenure = beginTenure(partition);
  const lanes = deps.createLanes(queue, tenure);
  const each = new OwnedSignals({ id, tenure, queue, lanes, next, logIds, finished: afresh?.finished });
  try {
    await patiently("begin a partition", () => queue.begin(next, logId), patience);
  } catch (error) {
    if (!(error instanceof NotOwner)) throw error;
    tenure.markLost(messageOf(error));
  }
  // From here on other code sees the partition as owned; its position must be in Redis by then.
  own(partition, each);
  if (!tenure.isOver) tenure.run(lanes.resume());
}

/** @returns undefined when the partition has no leader. */
export async function beginSignals(
  id: PartitionId,
  offset: number | undefined,
  { reader, log }: Pick<SignalTakeOverDeps, "reader" | "log">,
  patience: Patience,
): Promise<number | undefined> {
  const from = async (start: number | undefined) => {
    const [next] = await patiently("begin to read", () => reader.begin([{ ...id, offset: start }]), patience);
    return next;
  };
  try {
    return await from(offset);
  } catch (error) {
    if (!(error instanceof ForeignPosition)) throw error;
    // Signals are kept for a day and repetitions are dropped, so reading all of a shortened log is harmless.
    log.warn({ err: messageOf(error), ...id }, "the log lost its end");
    return from(undefined);
  }
}

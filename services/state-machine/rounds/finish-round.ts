// Publishes and saves a folded round.
import { messageOf } from "../../../schemas/errors.ts";
import type { PerOutput } from "../../../schemas/outputs.ts";
import type { Acknowledged } from "../../common/kafka/write/publisher.ts";
import type { Log } from "../../common/log.ts";
import { type Patience, patiently } from "../../common/patiently.ts";
import type { LiveStore } from "../store/live-store.ts";
import { withHeartbeat } from "../take-over/claims.ts";
import type { LedOutputs } from "./led-outputs.ts";
import type { FoldedRound, OwnedPartition } from "./owned-partition.ts";
import type { PartitionPublishers } from "./partition-publishers.ts";

export interface FinishDeps {
  readonly publishers: PartitionPublishers;
  readonly ledOutputs: LedOutputs;
  readonly store: LiveStore;
  /** Topic names on the broker. */
  readonly outputTopics: PerOutput<string>;
  readonly isOurs: (mine: OwnedPartition) => boolean;
  readonly log: Log;
  readonly patience: Patience;
}

/**
 * Outputs are written first, then live state with the position: after a crash in between outputs are repeated, and
 * their cause identifies them. The first outputs of a message are written alone, without a save; the owner then shows
 * that it is still at work.
 */
export async function finishRound(round: FoldedRound, deps: FinishDeps): Promise<void> {
  const positions = await publish(round, deps);
  if (positions === undefined) return;
  round.owned.sent(positions, deps.outputTopics);
  const { save: request, owned: mine } = round;
  if (request !== undefined) await saveRound(mine, request, deps);
  else await patiently("renew claim", () => deps.store.renewClaim(mine.partition, mine.owner), deps.patience);
}

/**
 * After a failure only the topics show which outputs were written, so the write is not repeated: the partition is taken
 * over again.
 */
async function publish(
  { owned: mine, messages }: FoldedRound,
  { publishers, ledOutputs, store, isOurs, log, patience }: FinishDeps,
): Promise<readonly Acknowledged[] | undefined> {
  if (mine.tenure.isOver) return undefined;
  const isOver = () => mine.tenure.isOver || patience.signal.aborted || !isOurs(mine);
  const write = async () => {
    if (!mine.hasWritten) await ledOutputs.awaitLeaders(messages, isOver);
    return await publishers.publish(mine.partition, messages, () => !mine.tenure.isOver && isOurs(mine));
  };
  try {
    return await withHeartbeat(mine, store, log, write);
  } catch (error) {
    mine.markLost(`outputs not written: ${messageOf(error)}`);
    return undefined;
  }
}

/**
 * The save is tried once even for a partition that is let go: its outputs are written, and without the save the next
 * owner would raise the signals again.
 */
async function saveRound(
  mine: OwnedPartition,
  request: NonNullable<FoldedRound["save"]>,
  deps: FinishDeps,
): Promise<void> {
  let isTried = false;
  const attempt = async () => {
    if (isTried && mine.tenure.isOver) return;
    isTried = true;
    await save(mine, request, deps);
  };
  await patiently("save", attempt, deps.patience);
}

async function save(
  mine: OwnedPartition,
  request: NonNullable<FoldedRound["save"]>,
  { store, log }: FinishDeps,
): Promise<void> {
  const { owner, progress } = mine;
  const { stored: expected, ends } = progress;
  // A rebuild reads offsets before the position in Redis again. That position must not move back.
  if (expected !== undefined && expected > request.next) return store.renewClaim(mine.partition, owner);
  const result = await store.save({ ...request, owner, expected, ends });
  if (result === "saved") {
    progress.saved(request.next);
  } else if (result === "lost") {
    log.warn({ partition: mine.partition }, "redis lost live state, writing it again");
    progress.forgotten();
  } else if (result === "overtaken") {
    mine.markLost("a newer owner has taken over");
  }
}

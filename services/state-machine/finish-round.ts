// A folded round on its way out.
import { messageOf } from "../../schemas/errors.ts";
import { type PerOutput, perOutput } from "../../schemas/outputs.ts";
import type { Acknowledged } from "../common/kafka/publisher.ts";
import type { Log } from "../common/log.ts";
import { type Patience, patiently } from "../common/patiently.ts";
import type { LiveStore } from "./live-store.ts";
import type { Owned, Round } from "./owned.ts";
import { abandon, staying } from "./ownership.ts";
import type { PartitionPublishers } from "./partition-publishers.ts";

export interface FinishDeps {
  readonly publishers: PartitionPublishers;
  readonly store: LiveStore;
  /** Names on the broker. */
  readonly outputTopics: PerOutput<string>;
  readonly isOurs: (mine: Owned) => boolean;
  readonly log: Log;
  readonly patience: Patience;
}

/**
 * Outputs first, then live state with the position: a crash in between repeats outputs, which carry their cause. The first
 * outputs of a message go out alone; the owner shows that it is still at work.
 */
export async function finishRound(round: Round, deps: FinishDeps): Promise<void> {
  const positions = await publish(round, deps);
  if (positions === undefined) return;
  advance(round.owned, positions, deps.outputTopics);
  const { save: request, owned: mine } = round;
  if (request !== undefined) await patiently("save", () => save(mine, request, deps), deps.patience);
  else await patiently("stay", () => deps.store.stay(mine.partition, mine.owner), deps.patience);
}

/** After a failure only the topics know what was written, so it is not repeated: the partition is taken over anew. */
async function publish(
  { owned: mine, messages }: Round,
  { publishers, store, isOurs, log }: FinishDeps,
): Promise<readonly Acknowledged[] | undefined> {
  if (mine.abandoned) return undefined;
  const write = () => publishers.publish(mine.partition, messages, () => isOurs(mine));
  try {
    const positions = await staying(mine, store, log, write);
    if (messages.length > 0) mine.failures = 0;
    return positions;
  } catch (error) {
    log.warn({ err: messageOf(error), partition: mine.partition }, "outputs not written, taking over anew");
    abandon(mine);
    return undefined;
  }
}

function advance(mine: Owned, positions: readonly Acknowledged[], topics: PerOutput<string>): void {
  const ends = new Map(positions.map(({ topic, offset }) => [topic, offset + 1]));
  mine.ends = perOutput((topic) => ends.get(topics[topic]) ?? mine.ends[topic]);
}

async function save(mine: Owned, request: NonNullable<Round["save"]>, { store, log }: FinishDeps): Promise<void> {
  if (mine.abandoned) return;
  // A rebuild begins before the position that Redis has.
  if (mine.stored !== undefined && mine.stored > request.next) return store.stay(mine.partition, mine.owner);
  const { owner, stored: expected, ends } = mine;
  const result = await store.save({ ...request, owner, expected, ends });
  if (result === "saved") {
    mine.stored = request.next;
  } else if (result === "lost") {
    log.warn({ partition: mine.partition }, "redis lost live state, writing it again");
    mine.rewrite = true;
  } else if (result === "overtaken") {
    log.warn({ partition: mine.partition }, "another owner is further on");
    abandon(mine);
  }
}

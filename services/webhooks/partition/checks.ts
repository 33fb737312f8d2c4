// Finds problems that no script reports: Redis has lost its data, or the notice of a requested delivery was lost.
import { messageOf } from "../../../schemas/errors.ts";
import type { GroupReader } from "../../common/kafka/read/group-reader.ts";
import type { Log } from "../../common/log.ts";
import type { OwnedPartitions } from "../../common/partitions/owned-partitions.ts";
import type { OwnedSignals } from "./owned-signals.ts";

export interface QueueChecksDeps {
  readonly reader: Pick<GroupReader, "owns" | "commit">;
  readonly log: Log;
  /** Stops the subscriptions of these partitions whose tokens were revoked. */
  readonly stopRevoked: (isOwned: (partition: number) => boolean) => Promise<void>;
  readonly owned: Pick<OwnedPartitions<OwnedSignals>, "get" | "all">;
}

const CHECK_EVERY_MS = 1_000;
/** While nothing waits for delivery, only the notice of a requested delivery can have been lost. */
const IDLE_CHECK_EVERY_MS = 5_000;

export function createChecks(deps: QueueChecksDeps) {
  const { log, owned } = deps;
  let dueAt = 0;
  let checking: Promise<void> | undefined;
  let isReporting = false;

  async function check(): Promise<void> {
    try {
      await Promise.all(present(owned).map((mine) => checkOne(mine, deps)));
      // Checks do not wait for the log: it may be unavailable for a long time.
      if (isReporting) return;
      isReporting = true;
      void report(deps).finally(() => {
        isReporting = false;
      });
    } catch (error) {
      log.warn({ err: messageOf(error) }, "cannot check the queues");
    } finally {
      checking = undefined;
    }
  }

  return {
    runWhenDue(): void {
      if (performance.now() < dueAt || checking !== undefined) return;
      const isIdle = owned.all().every(({ lanes }) => lanes.count === 0);
      dueAt = performance.now() + (isIdle ? IDLE_CHECK_EVERY_MS : CHECK_EVERY_MS);
      checking = check();
    },
    makeDue(): void {
      dueAt = 0;
    },
    /** Resolves when the running check is over. */
    settled: async (): Promise<void> => checking,
  };
}

const present = (owned: QueueChecksDeps["owned"]): OwnedSignals[] => owned.all().filter(({ tenure }) => !tenure.isOver);

async function checkOne(mine: OwnedSignals, { reader, owned }: QueueChecksDeps): Promise<void> {
  // Must be read before Redis is queried: `next` only grows, so a position below it shows a loss.
  const { next } = mine;
  const stored = await mine.queue.position();
  // A Redis that restarted without its newest second still has the owner, but an older position.
  if (stored !== undefined && stored >= next) {
    mine.tenure.succeeded();
    return mine.lanes.check();
  }
  // The tenure ends only when the group confirms that this process owns the partition. Until then waiting deliveries
  // continue.
  if (owned.get(mine.id.partition) === mine && reader.owns(mine.id))
    mine.tenure.markLost("redis has lost the position");
}

async function report({ reader, log, owned, stopRevoked }: QueueChecksDeps): Promise<void> {
  try {
    await stopRevoked((partition) => owned.get(partition)?.tenure.isOver === false);
    await reader.commit(present(owned).map(({ id, next }) => ({ ...id, next })));
  } catch (error) {
    log.warn({ err: messageOf(error) }, "cannot write to the log");
  }
}

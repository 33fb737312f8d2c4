// A partition of the signals while this process owns it: its queue, and a lane for each subscription that waits.
import { type QueueId, subscriptionOf } from "../../projections/deliveries/queue-id.ts";
import { messageOf } from "../../schemas/errors.ts";
import type { Log } from "../common/log.ts";
import { pause } from "../common/loop.ts";
import { type Patience, patiently } from "../common/patiently.ts";
import { createTurns } from "../common/turns.ts";
import { deliverAsked } from "./express.ts";
import { type Lane, type LaneContext, type LaneDeps, startLane } from "./lane.ts";
import { drain, type OutboxDeps } from "./outbox.ts";
import { createOwnership } from "./ownership.ts";
import { NotOwner, type Queue } from "./queue.ts";

export interface TenureDeps extends LaneDeps, OutboxDeps {
  readonly log: Log;
  /** Called once; the partition must be taken over again. */
  readonly onLost: () => void;
  /** Something that cannot be mended. */
  readonly onFailed: (error: unknown) => void;
}

/** A part has a few seconds to stop. */
const FINISH_MS = 3_000;
/** Deliveries that became too old are loaded for the delivery log: so many at a time. */
const LOADED_UNSENT = 4;

export type Tenure = ReturnType<typeof createTenure>;

export function createTenure(queue: Queue, deps: TenureDeps) {
  const ending = new AbortController();
  const cutting = new AbortController();
  const patience: Patience = { log: deps.log, signal: ending.signal };
  const lanes = new Map<QueueId, Lane & { hasNews: boolean }>();
  const expressing = new Set<QueueId>();
  const working = new Set<Promise<void>>();
  let draining = false;
  let hasMore = false;
  const context: LaneContext = {
    ...{ ...deps, queue, patience, cut: cutting.signal, onEnded: tell },
    // Its lane rests until the next attempt, as it knew that before.
    onReached: (queueId) => lanes.get(queueId)?.change(),
    ownership: createOwnership(queue),
    turns: createTurns(LOADED_UNSENT),
  };

  /** Work whose failure concerns the whole tenure. */
  function start(work: Promise<void>): void {
    const tracked: Promise<void> = work
      .catch((error: unknown) => {
        if (ending.signal.aborted) return;
        if (!(error instanceof NotOwner)) return deps.onFailed(error);
        deps.log.info({ reason: messageOf(error) }, "partition lost");
        ending.abort();
        deps.onLost();
      })
      .finally(() => working.delete(tracked));
    working.add(tracked);
  }

  function wake(queueId: QueueId): void {
    if (ending.signal.aborted) return;
    const known = lanes.get(queueId);
    if (known !== undefined) {
      known.hasNews = true;
      known.wake();
      return;
    }
    const lane = { ...startLane(queueId, context), hasNews: false };
    lanes.set(queueId, lane);
    start(
      lane.done.finally(() => {
        lanes.delete(queueId);
        // It may have looked for the last time before the news came.
        if (lane.hasNews) wake(queueId);
      }),
    );
  }

  function tell(): void {
    hasMore = true;
    if (draining || ending.signal.aborted) return;
    draining = true;
    start(
      (async () => {
        while (hasMore && !ending.signal.aborted) {
          hasMore = false;
          await drain(queue, deps, patience);
        }
      })().finally(() => {
        draining = false;
      }),
    );
  }

  function express(queueId: QueueId): void {
    if (expressing.has(queueId) || ending.signal.aborted) return;
    if (subscriptionOf(deps.subscriptions, queueId) === undefined) {
      // Not known yet, or deleted: its lane finds out which.
      wake(queueId);
      return;
    }
    expressing.add(queueId);
    start(deliverAsked(queueId, context).finally(() => expressing.delete(queueId)));
  }

  return {
    queue,
    wake,
    express,
    tell,

    /** The subscription has changed. */
    change(queueId: QueueId): void {
      lanes.get(queueId)?.change();
      wake(queueId);
    },

    /** The subscription is gone, and with it what waits. */
    forget(queueId: QueueId): void {
      const forgetting = patiently("forget", () => queue.forget(queueId), patience);
      start(forgetting.then(() => lanes.get(queueId)?.change()));
    },

    /** Goes on with what waits, and forgets what deleted subscriptions have left. */
    async resume(): Promise<void> {
      for (const id of await patiently("list the queues", queue.known, patience)) wake(id);
      tell();
    },

    /** Finds what nobody has told us of, and drops what there is no room for any more. */
    async look(): Promise<void> {
      await queue.makeRoom(Date.now());
      tell();
      for (const id of await queue.asked()) express(id);
    },

    isOver: () => ending.signal.aborted,

    /** Nothing begins any more; what is under way may finish within a bound. */
    async end(): Promise<void> {
      ending.abort();
      const finished = Promise.allSettled(working);
      await Promise.race([finished, pause(FINISH_MS, cutting.signal)]);
      cutting.abort();
      await finished;
    },
  };
}

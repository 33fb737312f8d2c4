// A partition of the signals while this process owns it: its queue, and a lane for each subscription that waits.
import { messageOf } from "../../schemas/errors.ts";
import type { Log } from "../common/log.ts";
import { pause } from "../common/loop.ts";
import { type Patience, patiently } from "../common/patiently.ts";
import { deliverAsked } from "./express.ts";
import { type Lane, type LaneDeps, startLane } from "./lane.ts";
import { drain, type OutboxDeps } from "./outbox.ts";
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

export type Tenure = ReturnType<typeof createTenure>;

export function createTenure(queue: Queue, deps: TenureDeps) {
  const ending = new AbortController();
  const cutting = new AbortController();
  const patience: Patience = { log: deps.log, signal: ending.signal };
  const lanes = new Map<string, Lane & { hasNews: boolean }>();
  const expressing = new Set<string>();
  const working = new Set<Promise<void>>();
  let draining = false;
  let hasMore = false;
  const context = { ...deps, queue, patience, cut: cutting.signal, onEnded: tell };

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

  function wake(subscriptionId: string): void {
    if (ending.signal.aborted) return;
    const known = lanes.get(subscriptionId);
    if (known !== undefined) {
      known.hasNews = true;
      known.wake();
      return;
    }
    const lane = { ...startLane(subscriptionId, context), hasNews: false };
    lanes.set(subscriptionId, lane);
    start(
      lane.done.finally(() => {
        lanes.delete(subscriptionId);
        // It may have looked for the last time before the news came.
        if (lane.hasNews) wake(subscriptionId);
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

  function express(subscriptionId: string): void {
    if (expressing.has(subscriptionId) || ending.signal.aborted) return;
    expressing.add(subscriptionId);
    start(deliverAsked(subscriptionId, context).finally(() => expressing.delete(subscriptionId)));
  }

  return {
    queue,
    wake,
    express,
    tell,

    /** The subscription has changed. */
    change(subscriptionId: string): void {
      lanes.get(subscriptionId)?.change();
      wake(subscriptionId);
    },

    /** The subscription is gone, and with it what waits. */
    forget(subscriptionId: string): void {
      const forgetting = patiently("forget", () => queue.forget(subscriptionId), patience);
      start(forgetting.then(() => lanes.get(subscriptionId)?.change()));
    },

    /** Goes on with what waits. */
    async resume(): Promise<void> {
      for (const id of await patiently("list what waits", queue.active, patience)) wake(id);
      tell();
    },

    /** Finds what nobody has told us of. */
    async look(): Promise<void> {
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

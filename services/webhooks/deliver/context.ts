// Dependencies of the lanes of a partition, and of requested deliveries.
import type { Catalog } from "../../../projections/catalog/catalog.ts";
import type { RetrySettings } from "../../../projections/webhooks/deliveries/outcome.ts";
import type { QueueId } from "../../../projections/webhooks/deliveries/queue-id.ts";
import type { Subscriptions } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import type { Patience } from "../../common/patiently.ts";
import type { Turns } from "../../common/turns.ts";
import type { Queue } from "../queue/queue.ts";
import type { QueueOwnership } from "./ownership.ts";
import type { Send } from "./send.ts";
import type { Stops } from "./stops.ts";

export interface LaneDeps {
  readonly subscriptions: Subscriptions;
  /**
   * Resolves when `subscriptions` contains everything that the log had at the call; rejects when that takes too long.
   */
  readonly caughtUp: () => Promise<void>;
  readonly catalog: Catalog;
  readonly send: Send;
  readonly stops: Stops;
  readonly retries: RetrySettings;
  /** Failures in a row that stop a subscription. */
  readonly stopAfter: number;
}

export interface LaneContext extends LaneDeps {
  readonly queue: Queue;
  readonly ownership: QueueOwnership;
  /** Bounds the payloads that are loaded without being sent. */
  readonly turns: Turns;
  /** After its signal aborts, nothing new begins. */
  readonly patience: Patience;
  /** Aborts the requests under way. */
  readonly cut: AbortSignal;
  /** Called when a record has been put into the outbox. */
  readonly onEnded: () => void;
  /**
   * Called when the receiver has accepted a requested delivery: the queue need not wait for the receiver any longer.
   */
  readonly onReached: (queueId: QueueId) => void;
}

// Keeps kafkajs' idle connections at rest. A connection's queue of requests looks every millisecond whether it is throttled
// no longer, also when it never was and nothing waits in it: https://github.com/tulios/kafkajs/issues/1704.
import { createRequire } from "node:module";

/** The members of kafkajs' queue that matter here. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

const require = createRequire(import.meta.url);
const { prototype: queue }: { readonly prototype: RequestQueue } = require("kafkajs/src/network/requestQueue/index.js");
const byKafkaJs = queue.scheduleCheckPendingRequests;

/**
 * For the whole process. A request that is queued schedules a look itself, so none is missed.
 * @returns whether it is in place.
 */
export function useIdleQueues(): boolean {
  queue.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0) byKafkaJs.call(this);
  };
  return typeof byKafkaJs === "function";
}

// Keeps kafkajs' idle connections at rest. A connection's queue of requests checks every millisecond whether throttling
// has ended, even when it was never throttled and nothing waits in it: https://github.com/tulios/kafkajs/issues/1704.
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
 * Takes effect for the whole process. A queued request schedules a check itself, so none is missed.
 * @returns true when our function is in place.
 */
export function useIdleQueues(): boolean {
  queue.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0) byKafkaJs.call(this);
  };
  return typeof byKafkaJs === "function";
}

// Lets a reader delay its fetches, and lengthen them. kafkajs sends the next one as soon as it has handed over an
// answer, and the broker answers as soon as it has one message. A reader that keeps up with many small messages would
// then pay a request, and all the work that follows, for each of them; a reader of a silent log would pay four requests
// a second.
import { createRequire } from "node:module";
import type { EachBatchHandler } from "kafkajs";
import { type FetchingRunner, waitLonger } from "./long-fetches.ts";

export interface ConsumerPace {
  /** Resolves when the fetch may be sent; undefined when it may be sent at once. */
  readonly beforeFetch: () => Promise<void> | undefined;
  /** Returns the milliseconds for which the broker may hold back an answer without messages. */
  readonly patienceMs: () => number;
}

/** The members of kafkajs' runner that matter here. */
interface Runner extends FetchingRunner {
  /** The handler that the consumer was given. It is the only object that consumer and runner share. */
  readonly eachBatch: EachBatchHandler;
  readonly heartbeatInterval: number;
  readonly consumerGroup: FetchingRunner["consumerGroup"] & { readonly lastRequest: number };
  fetch(nodeId: number): Promise<unknown>;
}

const require = createRequire(import.meta.url);
const paces = new WeakMap<EachBatchHandler, ConsumerPace>();

/** Takes effect for the whole process; must be called once. */
export function usePacedFetches(): void {
  const { prototype }: { readonly prototype: Runner } = require("kafkajs/src/consumer/runner.js");
  const { fetch } = prototype;
  prototype.fetch = async function (this: Runner, nodeId) {
    const pace = paces.get(this.eachBatch);
    if (pace !== undefined) {
      await pace.beforeFetch();
      waitLonger(this, nodeId, Math.min(pace.patienceMs(), untilHeartbeat(this)));
    }
    return fetch.call(this, nodeId);
  };
}

/** Returns the handler. The consumer that runs it asks the pace before each request to a broker. */
export function paced(handler: EachBatchHandler, pace: ConsumerPace): EachBatchHandler {
  paces.set(handler, pace);
  return handler;
}

/** kafkajs sends heartbeats between two fetches only. The clock may have been set back since the last one. */
const untilHeartbeat = ({ heartbeatInterval, consumerGroup: { lastRequest } }: Runner): number =>
  Math.min(heartbeatInterval, lastRequest + heartbeatInterval - Date.now());

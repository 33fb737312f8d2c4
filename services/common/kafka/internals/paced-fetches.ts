// Lets a reader delay its fetches. kafkajs sends the next one as soon as it has handed over an answer, and the broker
// answers as soon as it has one message. A reader that keeps up with many small messages would then pay a request, and
// all the work that follows, for each of them.
import { createRequire } from "node:module";
import type { EachBatchHandler } from "kafkajs";

/** Resolves when the fetch may be sent; undefined when it may be sent at once. */
export type BeforeFetch = () => Promise<void> | undefined;

/** The members of kafkajs' runner that matter here. */
interface Runner {
  /** The handler that the consumer was given. It is the only object that consumer and runner share. */
  readonly eachBatch: EachBatchHandler;
  fetch(nodeId: number): Promise<unknown>;
}

const require = createRequire(import.meta.url);
const paces = new WeakMap<EachBatchHandler, BeforeFetch>();

/** Takes effect for the whole process; must be called once. */
export function usePacedFetches(): void {
  const { prototype }: { readonly prototype: Runner } = require("kafkajs/src/consumer/runner.js");
  const { fetch } = prototype;
  prototype.fetch = async function (this: Runner, nodeId) {
    await paces.get(this.eachBatch)?.();
    return fetch.call(this, nodeId);
  };
}

/** Returns the handler. The consumer that runs it calls `beforeFetch` before each request to a broker. */
export function paced(handler: EachBatchHandler, beforeFetch: BeforeFetch): EachBatchHandler {
  paces.set(handler, beforeFetch);
  return handler;
}

// Ends the fetchers of a kafkajs consumer that has stopped. kafkajs stops the fetchers that it has; when it replaces
// them at this moment, because the brokers have changed, the new ones ask a consumer that answers at once with nothing.
// They ask for ever without a pause, and the process does nothing else any more: it answers no probe and no signal.
// Compare https://github.com/tulios/kafkajs/issues/1384.
import { createRequire } from "node:module";

/** The members of kafkajs' runner that matter here. */
interface Runner {
  readonly running: boolean;
  fetch(nodeId: number): Promise<unknown>;
}

const require = createRequire(import.meta.url);

/**
 * Takes effect for the whole process; must be called once. kafkajs waits after the error, then finds that the consumer
 * has stopped, and ends.
 */
export function useEndedFetchers(): void {
  const { prototype }: { readonly prototype: Runner } = require("kafkajs/src/consumer/runner.js");
  const { fetch } = prototype;
  prototype.fetch = async function (this: Runner, nodeId) {
    if (!this.running) throw new Error("the consumer has stopped");
    return fetch.call(this, nodeId);
  };
}

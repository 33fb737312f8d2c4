// Lets the broker hold back its answer to a single fetch for longer than the consumer's setting, and ends such fetches
// when the consumer stops. kafkajs has one time for all fetches, and a stop waits for the answers.
import { createRequire } from "node:module";

/** The members of kafkajs' broker that matter here. */
interface Broker {
  fetch(request: FetchRequest): Promise<FetchAnswer>;
}

interface FetchRequest {
  readonly maxWaitTime: number;
}

interface FetchAnswer {
  readonly responses: readonly object[];
}

/** The members of kafkajs' runner that matter here. */
export interface FetchingRunner {
  readonly consumerGroup: {
    readonly cluster: { readonly brokerPool: { readonly brokers: Readonly<Record<string, object>> } };
  };
}

interface StoppingRunner extends FetchingRunner {
  stop(): Promise<void>;
}

const require = createRequire(import.meta.url);
const NOTHING: FetchAnswer = { responses: [] };

/** Milliseconds that the broker may wait with its answer to the next fetch. */
const waits = new WeakMap<object, number>();
/** Functions that end the fetches of a broker. A consumer shares its brokers with no other. */
const ends = new WeakMap<object, Set<() => void>>();

/** Takes effect for the whole process; must be called once. */
export function useLongFetches(): void {
  const { prototype: broker }: { readonly prototype: Broker } = require("kafkajs/src/broker/index.js");
  const { prototype: runner }: { readonly prototype: StoppingRunner } = require("kafkajs/src/consumer/runner.js");
  const { fetch } = broker;
  const { stop } = runner;
  broker.fetch = function (this: Broker, request) {
    const maxWaitTime = Math.max(request.maxWaitTime, waits.get(this) ?? 0);
    waits.delete(this);
    return endable(this, fetch.call(this, { ...request, maxWaitTime }));
  };
  runner.stop = function (this: StoppingRunner) {
    // From here on kafkajs ignores the answers, and sends no further fetch.
    const stopping = stop.call(this);
    for (const each of Object.values(this.consumerGroup.cluster.brokerPool.brokers)) {
      for (const end of ends.get(each) ?? []) end();
    }
    return stopping;
  };
}

/** The next fetch of the consumer from this broker may wait so long for messages. */
export function waitLonger({ consumerGroup }: FetchingRunner, nodeId: number, waitMs: number): void {
  const broker = consumerGroup.cluster.brokerPool.brokers[nodeId];
  if (broker !== undefined) waits.set(broker, Math.round(waitMs));
}

async function endable(broker: Broker, answer: Promise<FetchAnswer>): Promise<FetchAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<FetchAnswer>();
  const end = () => resolve(NOTHING);
  const open = ends.get(broker) ?? new Set();
  ends.set(broker, open.add(end));
  answer.then(resolve, reject);
  try {
    return await promise;
  } finally {
    open.delete(end);
  }
}

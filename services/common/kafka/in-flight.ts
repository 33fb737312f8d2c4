// Which requests to write are on their way. kafkajs gives a batch up with the first broker that fails, while others may
// still be writing their part of it, and leaves no way to hear of them.
import { createRequire } from "node:module";
import type { Message, TopicMessages } from "kafkajs";

/** As much of kafkajs' broker as a request to write goes through. */
interface Broker {
  produce(request: ProduceRequest): Promise<unknown>;
}

interface ProduceRequest {
  readonly topicData: readonly {
    readonly partitions: readonly { readonly messages: readonly Message[] }[];
  }[];
}

const require = createRequire(import.meta.url);
const BROKER = "kafkajs/src/broker/index.js";

/** By the first message of each partition. */
const requests = new WeakMap<Message, Promise<unknown>>();
let done = false;

/** In the whole process. */
export function watchRequests(): void {
  if (done) return;
  done = true;
  const { prototype }: { readonly prototype: Broker } = require(BROKER);
  const { produce } = prototype;
  prototype.produce = function watched(this: Broker, request) {
    const answer = produce.call(this, request);
    for (const { partitions } of request.topicData) {
      for (const { messages } of partitions) if (messages[0] !== undefined) requests.set(messages[0], answer);
    }
    return answer;
  };
}

/** Resolves when no request with these messages is on its way any more: each was answered, or given up. */
export async function untilSettled(sent: readonly TopicMessages[]): Promise<void> {
  await Promise.allSettled(sent.flatMap(({ messages }) => messages.map((message) => requests.get(message))));
}

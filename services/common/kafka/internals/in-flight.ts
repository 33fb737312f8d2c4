// Adds two things that kafkajs does not offer for write requests. kafkajs gives a batch up when the first broker fails,
// while other brokers may still be writing their part. And before it writes, it may look up leaders, connect and
// authenticate: in a process that has just woken up this takes so long that the writer may have lost its right
// meanwhile.
import { createRequire } from "node:module";
import type { Message, TopicMessages } from "kafkajs";

/** The members of kafkajs' broker that a write request needs. */
interface Broker {
  produce(request: ProduceRequest): Promise<unknown>;
  lookupRequest(api: unknown, versions: unknown): (request: unknown) => ProtocolRequest;
}

/** `encode` is the last call that kafkajs awaits before it writes to the socket. */
interface ProtocolRequest {
  readonly request: { readonly encode: () => Promise<unknown> };
}

interface ProduceRequest {
  readonly topicData: readonly {
    readonly partitions: readonly { readonly messages: readonly Message[] }[];
  }[];
}

const require = createRequire(import.meta.url);
const BROKER = "kafkajs/src/broker/index.js";

/** Requests by the first message of each partition. */
const requests = new WeakMap<Message, Promise<unknown>>();
/** Functions that return whether the message may still be written. */
const validity = new WeakMap<Message, () => boolean>();
let done = false;

/** Takes effect for the whole process; repeated calls have no effect. */
export function watchRequests(): void {
  if (done) return;
  done = true;
  const { prototype }: { readonly prototype: Broker } = require(BROKER);
  const { produce } = prototype;
  prototype.produce = function watched(this: Broker, request) {
    const firsts = request.topicData.flatMap(({ partitions }) =>
      partitions.flatMap(({ messages }) => messages[0] ?? []),
    );
    const isValid = firsts.map((message) => validity.get(message)).find((ask) => ask !== undefined);
    const answer = produce.call(isValid === undefined ? this : askingLast(this, isValid), request);
    for (const message of firsts) requests.set(message, answer);
    return answer;
  };
}

/** Returns the broker with a check between encoding a request and writing it to the socket. */
const askingLast = (broker: Broker, isValid: () => boolean): Broker =>
  Object.create(broker, {
    lookupRequest: {
      value: (api: unknown, versions: unknown) => (args: unknown) => {
        const found = broker.lookupRequest(api, versions)(args);
        const encode = async () => {
          const payload = await found.request.encode();
          if (!isValid()) throw new Error("no longer valid");
          return payload;
        };
        return { ...found, request: { ...found.request, encode } };
      },
    },
  });

/** The messages are refused when `isValid` returns false right before their request is written. */
export function askBeforeWrite(sent: readonly TopicMessages[], isValid: () => boolean): void {
  for (const { messages } of sent) for (const message of messages) validity.set(message, isValid);
}

/** Resolves when no request with these messages is under way any more: each was answered, or given up. */
export async function untilSettled(sent: readonly TopicMessages[]): Promise<void> {
  await Promise.allSettled(sent.flatMap(({ messages }) => messages.map((message) => requests.get(message))));
}

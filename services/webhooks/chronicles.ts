// Raises the signals of subscriptions to activity chronicles. A message of the chronicles topic says only what it changes,
// so the whole chronicle is asked of the API, which has waited for the message.
import type { Kafka } from "kafkajs";
import { readMessage } from "../../schemas/read-message.ts";
import { topicName } from "../../schemas/topics.ts";
import type { GroupReader, Taken } from "../common/kafka/group-reader.ts";
import type { PartitionId } from "../common/kafka/inboxes.ts";
import { offsetRanges } from "../common/kafka/offsets.ts";
import type { Part } from "../common/lifecycle.ts";
import { patiently } from "../common/patiently.ts";
import type { AskChronicles } from "./ask-chronicles.ts";
import {
  type ChronicleChange,
  createRaiseChronicles,
  listening,
  type RaiseChroniclesDeps,
} from "./raise-chronicles.ts";

export interface ChroniclesDeps extends Omit<RaiseChroniclesDeps, "ask"> {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly reader: GroupReader;
  /** The signal ends its questions. */
  readonly createAsk: (signal: AbortSignal) => AskChronicles;
}

const IDLE_MS = 1_000;
/** Of one question. */
const PORTION = 100;

export function createChronicles(deps: ChroniclesDeps): Part {
  const { reader, log } = deps;
  const stopping = new AbortController();
  const raise = createRaiseChronicles({ ...deps, ask: deps.createAsk(stopping.signal) });
  const patience = { log, signal: stopping.signal };
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const { assigned, batches } = await reader.next(IDLE_MS);
      if (assigned !== undefined) await begin(assigned);
      for (const batch of batches) await take(batch);
    }
  }

  async function begin(ids: readonly PartitionId[]): Promise<void> {
    const offsets = await patiently("find where to begin", () => startOffsets(deps), patience);
    const starts = ids.map((id) => ({ ...id, offset: offsets.get(id.partition) }));
    await patiently("begin to read", () => reader.begin(starts), patience);
  }

  async function take({ topic, partition, messages, next }: Taken): Promise<void> {
    const changes = await patiently("read changes of chronicles", () => changesOf(messages, deps), patience);
    for (let first = 0; first < changes.length && !stopping.signal.aborted; first += PORTION) {
      const portion = changes.slice(first, first + PORTION);
      await patiently("raise signals of chronicles", () => raise(portion, partition), patience);
    }
    // Otherwise the messages are read again: not all of them were worked on.
    if (!stopping.signal.aborted) await reader.commit([{ topic, partition, next }]);
  }

  return {
    name: "chronicle signals",
    failed: failed.promise,
    async start() {
      await reader.start();
      working = work().catch(failed.reject);
    },
    async stop() {
      stopping.abort();
      reader.wake();
      await working;
      await reader.stop();
    },
  };
}

/** Where the group was; else when the oldest subscription was made, for which a chronicle may be news. */
async function startOffsets({ kafka, groupId, namespace, subscriptions }: ChroniclesDeps) {
  const topic = topicName(namespace, "chronicles");
  const since = Math.min(Date.now(), ...listening(subscriptions).map(({ createdAt }) => createdAt));
  const admin = kafka.admin();
  await admin.connect();
  try {
    const [ranges, [found], oldest] = await Promise.all([
      offsetRanges(admin, topic),
      admin.fetchOffsets({ groupId, topics: [topic] }),
      admin.fetchTopicOffsetsByTimestamp(topic, since),
    ]);
    const committed = new Map(found?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    const first = new Map(oldest.map(({ partition, offset }) => [partition, Number(offset)]));
    return new Map(
      ranges.map(({ partition, low, high }) => {
        const offset = committed.get(partition) ?? -1;
        const isKnown = offset >= 0 && offset <= high;
        return [partition, Math.max(isKnown ? offset : (first.get(partition) ?? high), low)];
      }),
    );
  } finally {
    await admin.disconnect();
  }
}

async function changesOf(
  messages: Taken["messages"],
  { codec, subscriptions }: ChroniclesDeps,
): Promise<ChronicleChange[]> {
  if (listening(subscriptions).length === 0) return [];
  return messages.flatMap(({ value, offset }) => {
    const read = readMessage(codec, "chronicles", value);
    // The projector says what is wrong with a message.
    if (!read.ok) return [];
    if (read.type !== "ActivityChronicleChanged" && read.type !== "ActivityMediaAdded") return [];
    const isCreation = read.type === "ActivityChronicleChanged" && read.event.change === "created";
    return [{ id: read.event.id, offset: Number(offset), isCreation }];
  });
}

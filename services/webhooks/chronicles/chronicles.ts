// Raises the signals of subscriptions to activity chronicles. A message of the chronicles topic has only the changed
// fields, so the whole chronicle is queried from the API, which waits until it has the message.
import type { Kafka } from "kafkajs";
import { readMessage } from "../../../schemas/read-message.ts";
import { topicName } from "../../../schemas/topics.ts";
import { traceParentIn } from "../../../schemas/trace-parent.ts";
import { ledRanges, offsetsSince } from "../../common/kafka/offsets.ts";
import type { GroupReader, TakenBatch } from "../../common/kafka/read/group-reader.ts";
import type { PartitionId } from "../../common/kafka/read/inboxes.ts";
import type { Part } from "../../common/lifecycle.ts";
import { patiently } from "../../common/patiently.ts";
import type { AskChronicles } from "./ask-chronicles.ts";
import {
  chronicleListeners,
  createRaiseChronicles,
  type RaiseChroniclesDeps,
  type RecordedChronicleChange,
} from "./raise-chronicles.ts";

export interface ChroniclesDeps extends Omit<RaiseChroniclesDeps, "ask"> {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly reader: GroupReader;
  /** An abort of `signal` ends the queries to the API. */
  readonly createAsk: (signal: AbortSignal) => AskChronicles;
}

const IDLE_MS = 1_000;
/** Number of chronicles in one query to the API. */
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
    for (const id of ids) if (!offsets.has(id.partition)) reader.postpone(id);
    const led = ids.filter(({ partition }) => offsets.has(partition));
    const starts = led.map((id) => ({ ...id, offset: offsets.get(id.partition) }));
    await patiently("begin to read", () => reader.begin(starts), patience);
  }

  async function take({ topic, partition, messages, next }: TakenBatch): Promise<void> {
    const changes = await patiently("read changes of chronicles", () => changesOf(messages, deps), patience);
    for (let first = 0; first < changes.length && !stopping.signal.aborted; first += PORTION) {
      const portion = changes.slice(first, first + PORTION);
      await patiently("raise signals of chronicles", () => raise(portion, partition), patience);
    }
    // A stop may have left changes of this batch without signals. They are not committed, so they are read again.
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

/**
 * Returns the offsets at which reading starts, by partition: the group's committed offset, or, when it has no valid
 * one, the offset at the creation of the oldest subscription. Earlier changes concern no subscription. Partitions
 * without a leader are absent.
 */
async function startOffsets({ kafka, groupId, namespace, subscriptions }: ChroniclesDeps) {
  const topic = topicName(namespace, "chronicles");
  const since = Math.min(Date.now(), ...chronicleListeners(subscriptions).map(({ createdAt }) => createdAt));
  const admin = kafka.admin();
  await admin.connect();
  try {
    const ranges = await ledRanges(admin, topic);
    const partitions = ranges.map(({ partition }) => partition);
    const [[found], first] = await Promise.all([
      admin.fetchOffsets({ groupId, topics: [topic] }),
      offsetsSince(admin, topic, since, partitions),
    ]);
    const committed = new Map(found?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
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
  messages: TakenBatch["messages"],
  { codec, subscriptions }: ChroniclesDeps,
): Promise<RecordedChronicleChange[]> {
  if (chronicleListeners(subscriptions).length === 0) return [];
  return messages.flatMap(({ value, offset, headers }) => {
    const read = readMessage(codec, "chronicles", value);
    // The projector logs the reason for an unreadable message.
    if (!read.ok) return [];
    if (read.type !== "ActivityChronicleChanged" && read.type !== "ActivityMediaAdded") return [];
    const isCreation = read.type === "ActivityChronicleChanged" && read.event.change === "created";
    return [{ id: read.event.id, offset: Number(offset), isCreation, traceParent: traceParentIn(headers) }];
  });
}

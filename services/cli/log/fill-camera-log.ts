// Fills an empty camera-log with the messages of a stretch and their recorded broker times, each exactly once. While it
// is filled the topic keeps the times of its writer, and no service starts on it.
import type { CameraLogEvent } from "../../../schemas/events.ts";
import { headersOf } from "../../../schemas/headers.ts";
import { derivedId } from "../../../schemas/identity.ts";
import { partitionOfKey } from "../../../schemas/partition-of-key.ts";
import { topicName } from "../../../schemas/topics.ts";
import { countPartitions } from "../../common/kafka/offsets.ts";
import { setOnTopics } from "../../common/kafka/write/compare-topics.ts";
import { TIMESTAMP_TYPE } from "../../common/kafka/write/filling.ts";
import { provideTopics } from "../../common/kafka/write/provision.ts";
import type { Publisher } from "../../common/kafka/write/publisher.ts";
import { createPartitionFiller, type PartitionFiller } from "../backup/partition-filler.ts";
import type { WrittenChange } from "./import-catalog.ts";
import { type CameraLogDeps, publisherFor } from "./import-deps.ts";
import { type ImportMessage, importMessages } from "./import-messages.ts";
import { createWrittenOffsets } from "./written-offsets.ts";

/** The camera-log takes the times of its writers already. Resolves with the number of its messages. */
export async function fillCameraLog(deps: CameraLogDeps): Promise<number> {
  const { admin, namespace, topics, replicationFactor } = deps;
  const topic = topicName(namespace, "camera-log");
  const publisher = publisherFor([topic], deps, 0);
  await publisher.start();
  let count = 0;
  try {
    const fillers = await fillersOf(topic, publisher, deps);
    await fillAll(topic, fillers, deps);
    for (const filler of fillers) await filler.finish();
    count = fillers.reduce((sum, filler) => sum + filler.next(), 0);
  } finally {
    await publisher.stop();
  }
  await setOnTopics(admin, [topic], TIMESTAMP_TYPE, "LogAppendTime");
  await provideTopics(admin, topics, replicationFactor);
  return count;
}

async function fillersOf(topic: string, publisher: Publisher, { kafka, admin }: CameraLogDeps) {
  const count = await countPartitions(admin, topic);
  return Promise.all(
    Array.from({ length: count }, (_, partition) =>
      createPartitionFiller({ kafka, admin, publisher, origin: "stretch", target: { topic, partition } }),
    ),
  );
}

async function fillAll(topic: string, fillers: readonly PartitionFiller[], deps: CameraLogDeps): Promise<void> {
  const { file, codec, changes, signal } = deps;
  const offsets = createWrittenOffsets();

  async function write(partition: number, each: ImportMessage): Promise<void> {
    const filler = fillers[partition];
    if (filler === undefined) throw new Error(`no partition ${partition} in ${topic}`);
    const { recordedAt: timestamp, headers, key } = each;
    const message = withWrittenOffsets(each, partition);
    if (each.offset !== undefined)
      offsets.note(each.partition, partition, { original: each.offset, written: filler.next() });
    const value = codec.encode(message.type, message.event as never);
    await filler.add({ topic, partition, key, value, headers, timestamp });
  }

  function withWrittenOffsets({ message, partition: from }: ImportMessage, partition: number): CameraLogEvent {
    if (message.type === "GeofencesAdvanced") {
      return { ...message, event: { upTo: floorOf(changes, ({ offset }) => offset <= message.event.upTo) } };
    }
    if (message.type !== "TrackExpired" || message.event.readUpTo === null) return message;
    return {
      ...message,
      event: { ...message.event, readUpTo: offsets.behind(from, partition, message.event.readUpTo) },
    };
  }

  const begun = new Set<number>();
  for await (const each of importMessages(file)) {
    signal.throwIfAborted();
    const targets = new Set(each.dataSourceIds.map((id) => partitionOfKey(id, fillers.length)));
    for (const partition of targets) {
      const first = begun.has(partition) ? undefined : geofencesBefore(each, deps);
      begun.add(partition);
      if (first !== undefined) await write(partition, first);
      await write(partition, each);
    }
  }
}

/** A segment that begins within the log does not have the messages that named the geofences of then. */
function geofencesBefore({ partition, recordedAt }: ImportMessage, { file, changes }: CameraLogDeps) {
  const beganBefore = file.segments.some(({ segment }) => segment.partition === partition && segment.begin > 0);
  const upTo = floorOf(changes, (change) => change.recordedAt <= recordedAt);
  if (!beganBefore || upTo < 0) return undefined;
  const id = derivedId("log-import", file.metadata.logId, "geofences", String(partition));
  const message = { type: "GeofencesAdvanced", event: { upTo } } as const;
  const headers = headersOf({ id, type: message.type, source: "tracklog/log", timeMs: recordedAt });
  return { partition, offset: undefined, recordedAt, dataSourceIds: [], key: null, headers, message };
}

/** Returns the offset of the last of the first changes that are so; -1 when there is none. */
function floorOf(changes: readonly WrittenChange[], isSo: (change: WrittenChange) => boolean): number {
  let found = -1;
  for (const change of changes) {
    if (isSo(change)) found = Math.max(found, change.written);
  }
  return found;
}

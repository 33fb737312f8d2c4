// Writes the messages of a stretch at the pace at which they were recorded, into a log that may be in use. The broker
// gives their times, so tracks expire as they did then. The state machine of the namespace writes the expiries, and the
// advances of geofences.
import { partitionOfKey } from "../../../schemas/partition-of-key.ts";
import { topicName } from "../../../schemas/topics.ts";
import { MIB } from "../../../schemas/units.ts";
import type { OutMessage, Publisher } from "../../common/kafka/write/publisher.ts";
import { pause } from "../../common/loop.ts";
import { type CameraLogDeps, publisherFor } from "./import-deps.ts";
import { type ImportMessage, importMessages } from "./import-messages.ts";
import { shifted } from "./shift.ts";

const GROUP_BYTES = MIB;
const GROUP_MESSAGES = 1_000;

/** Resolves with the number of messages that were written. */
export async function paceIntoCameraLog(deps: CameraLogDeps): Promise<number> {
  const topic = topicName(deps.namespace, "camera-log");
  const publisher = publisherFor([topic], deps);
  await publisher.start();
  const { firstRecordedAt, lastRecordedAt } = deps.file.facts;
  const seconds = Math.ceil((lastRecordedAt - firstRecordedAt) / 1_000);
  if (seconds > 0) deps.print(`The messages are written at the pace at which they were recorded: ${seconds} s`);
  try {
    return await writeAtPace(topic, publisher, deps);
  } finally {
    await publisher.stop();
  }
}

async function writeAtPace(topic: string, publisher: Publisher, deps: CameraLogDeps): Promise<number> {
  const { file, codec, byMs, signal } = deps;
  const partitions = publisher.partitionsOf(topic);
  const startedAt = performance.now();
  let count = 0;
  let group: OutMessage[] = [];
  let bytes = 0;

  async function write(): Promise<void> {
    await publisher.publish(group);
    count += group.length;
    group = [];
    bytes = 0;
  }

  for await (const each of importMessages(file)) {
    const { type } = each.message;
    if (type === "TrackExpired" || type === "GeofencesAdvanced") continue;
    const dueMs = each.recordedAt - file.facts.firstRecordedAt - (performance.now() - startedAt);
    if (dueMs > 0 || group.length >= GROUP_MESSAGES || bytes >= GROUP_BYTES) await write();
    if (dueMs > 0) await pause(dueMs, signal);
    signal.throwIfAborted();
    const message = outMessageOf(each);
    group.push(message);
    bytes += message.value?.length ?? 0;
  }
  await write();
  return count;

  function outMessageOf({ message, dataSourceIds: [key = ""], headers }: ImportMessage): OutMessage {
    const { type, event } = shifted(message, byMs);
    const value = codec.encode(type, event as never);
    return { topic, partition: partitionOfKey(key, partitions), key, value, headers };
  }
}

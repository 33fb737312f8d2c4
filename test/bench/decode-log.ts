// The log of benchmarks that fold one, and their baseline: reading it through our group reader, and decoding it.
import { topicName } from "../../schemas/topics.ts";
import { provisionEnv } from "../../services/cli/provision/config.ts";
import { provision } from "../../services/cli/provision/provision.ts";
import { kafkaEnv, loadConfig, registryEnv } from "../../services/common/config.ts";
import { createKafka } from "../../services/common/kafka/client.ts";
import { offsetRanges } from "../../services/common/kafka/offsets.ts";
import { createGroupReader } from "../../services/common/kafka/read/group-reader.ts";
import { createCodec } from "../../services/common/registry/codec.ts";
import { fillCameraLog, log } from "./camera-log.ts";

type Env = Readonly<Record<string, string>>;
/** The ends of the partitions that have messages. */
export type Ends = ReadonlyMap<number, number>;

export interface RecordedLog {
  /** The stores with the namespace of the log. */
  readonly env: Env;
  /** The name of its camera-log on the broker. */
  readonly topic: string;
  readonly ends: Ends;
}

/** Writes so many events into the camera-log of a new namespace. */
export async function recordLog(stores: Env, namespace: string, events: number): Promise<RecordedLog> {
  const env = { ...stores, TRACKLOG_NAMESPACE: namespace };
  await provision(loadConfig(provisionEnv, env), log);
  const topic = topicName(namespace, "camera-log");
  await fillCameraLog(env, topic, events);
  return { env, topic, ends: await endsOf(env, topic) };
}

export async function endsOf(env: Env, topic: string): Promise<Ends> {
  const admin = kafkaOf(env).admin();
  await admin.connect();
  const ranges = await offsetRanges(admin, topic);
  await admin.disconnect();
  return new Map(ranges.filter(({ high }) => high > 0).map(({ partition, high }) => [partition, high]));
}

/** Seconds from the start of the reader to the last decoded message. */
export async function decodeAll(env: Env, topic: string, groupId: string, ends: Ends): Promise<number> {
  const codec = await createCodec(loadConfig(registryEnv, env));
  const reader = createGroupReader({ kafka: kafkaOf(env), groupId, topics: [topic], log });
  const left = new Map(ends);
  const startedAt = performance.now();
  await reader.start();
  while (left.size > 0) {
    const { assigned, batches } = await reader.next(200);
    await reader.begin((assigned ?? []).map((id) => ({ ...id, offset: undefined })));
    for (const { partition, messages, next } of batches) {
      for (const { value } of messages) if (!codec.decode(value).ok) throw new Error("a message does not decode");
      if (next >= (left.get(partition) ?? 0)) left.delete(partition);
    }
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  await reader.stop();
  return seconds;
}

const kafkaOf = (env: Env) => createKafka("tracklog-bench", loadConfig(kafkaEnv, env), log);

// Times from the acknowledgement of a message to the first of the outputs that it caused, read with plain kafkajs.
import { kafkaEnv, loadConfig, registryEnv } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { until } from "../../support/running/processes.ts";
import { log } from "../camera-log.ts";

interface Place {
  readonly partition: number;
  readonly offset: number;
}

/** Messages without outputs never count. */
export async function observeOutputs(
  env: Readonly<Record<string, string>>,
  topic: string,
  onSeen: (ms: number) => void,
) {
  const codec = await createCodec(loadConfig(registryEnv, env));
  const consumer = createKafka("tracklog-bench", loadConfig(kafkaEnv, env), log).consumer({
    groupId: `${topic}.${Date.now()}`,
    maxWaitTimeInMs: 100,
  });
  const acknowledged = new Map<string, number>();
  const seen = new Map<string, number>();
  const nameOf = ({ partition, offset }: Place) => `${partition}/${offset}`;
  let joined = false;
  consumer.on(consumer.events.GROUP_JOIN, () => {
    joined = true;
  });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: false });
  await consumer.run({
    eachMessage: async ({ message }) => {
      const now = performance.now();
      const decoded = codec.decode(message.value);
      if (!decoded.ok || decoded.type !== "ZoneIntersectionChanged") return;
      const name = nameOf(decoded.event.cause);
      if (seen.has(name)) return;
      seen.set(name, now);
      const at = acknowledged.get(name);
      if (at !== undefined) onSeen(Math.max(0, now - at));
    },
  });
  await until(() => joined);
  return {
    expect(place: Place, at: number): void {
      const name = nameOf(place);
      acknowledged.set(name, at);
      if (seen.has(name)) onSeen(0);
    },
    stop: () => consumer.disconnect(),
  };
}

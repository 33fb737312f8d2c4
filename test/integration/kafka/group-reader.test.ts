import type { Kafka } from "kafkajs";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { kafkaEnv, loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createGroupReader } from "../../../services/common/kafka/read/group-reader.ts";
import { provideTopics } from "../../../services/common/kafka/write/provision.ts";
import { createLog } from "../../../services/common/log.ts";
import { until } from "../../support/running/processes.ts";
import { useStack } from "../../support/running/stack.ts";
import { createTopic, log } from "./topic.ts";

test("a consumer that crashes while it starts again is started again", async () => {
  const { env, uniqueName } = useStack();
  const topic = uniqueName("reader");
  const kafka = createKafka("test", loadConfig(kafkaEnv, env), createLog("test", "silent"));
  const admin = kafka.admin();
  await admin.connect();
  await provideTopics(admin, [{ name: topic, partitions: 1, cleanup: "delete", retentionMs: 60_000 }], 1);
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => lines.push(line) });
  // The broker refuses such a member whenever it joins, which is a crash in the middle of starting.
  const reader = createGroupReader({ kafka, groupId: topic, topics: [topic], log, sessionTimeoutMs: 10 });
  onTestFinished(async () => {
    await reader.stop();
    await admin.deleteTopics({ topics: [topic] });
    await admin.disconnect();
  });

  await reader.start();

  await until(() => lines.filter((line) => line.includes("consumer crashed")).length >= 4, { timeoutMs: 20_000 });
  expect(lines.some((line) => line.includes("consumer restarted"))).toBe(false);
});

/** Calls `onHeartbeat` whenever the group has acknowledged a heartbeat of a consumer of this client. */
function observed(kafka: Kafka, onHeartbeat: () => void): Kafka {
  const consumer: Kafka["consumer"] = (config) => {
    const made = kafka.consumer(config);
    made.on(made.events.HEARTBEAT, onHeartbeat);
    return made;
  };
  return Object.assign(Object.create(kafka), { consumer });
}

test("a reader whose wall clock is set back by an hour goes on with its heartbeats and keeps its partitions", async () => {
  const { kafka, topic } = await createTopic(1);
  let heartbeats = 0;
  const counting = observed(kafka, () => {
    heartbeats += 1;
  });
  const reader = createGroupReader({ kafka: counting, groupId: topic, topics: [topic], log, sessionTimeoutMs: 6_000 });
  await reader.start();
  onTestFinished(() => reader.stop());
  const [id] = (await until(async () => (await reader.next(100)).assigned)) ?? [];
  if (id === undefined) throw new Error("no partition was assigned");
  await reader.begin([{ ...id, offset: undefined }]);
  await until(() => heartbeats > 0, { timeoutMs: 20_000 });

  const rightNow = Date.now;
  vi.spyOn(Date, "now").mockImplementation(() => rightNow() - 3_600_000);
  onTestFinished(() => void vi.restoreAllMocks());
  heartbeats = 0;

  // More of them than fit into one session.
  await until(() => heartbeats > 6, { timeoutMs: 30_000 });
  expect(reader.owns(id)).toBe(true);
});

import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { kafkaEnv, loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createGroupReader } from "../../../services/common/kafka/group-reader.ts";
import { provideTopics } from "../../../services/common/kafka/provision.ts";
import { createLog } from "../../../services/common/log.ts";
import { until } from "../../support/processes.ts";
import { useStack } from "../../support/stack.ts";

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

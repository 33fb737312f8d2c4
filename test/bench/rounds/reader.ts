// A process that reads the camera-log through the group reader of the state machine, and decodes it. It sends "started"
// once it has read the zones.
import { setFlagsFromString } from "node:v8";
import { topicName } from "../../../schemas/topics.ts";
import { kafkaEnv, loadConfig, registryEnv } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createGroupReader } from "../../../services/common/kafka/read/group-reader.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { log } from "../camera-log.ts";

// The services have this flag, too.
setFlagsFromString("--no-parallel-scavenge");
const env = process.env as Record<string, string>;
const namespace = env["TRACKLOG_NAMESPACE"] ?? "";
const codec = await createCodec(loadConfig(registryEnv, env));
const kafka = createKafka("tracklog-bench", loadConfig(kafkaEnv, env), log);
const topics = [topicName(namespace, "camera-log")];
const reader = createGroupReader({ kafka, groupId: `${namespace}.baseline`, topics, log });
await reader.start();
let started = false;
for (;;) {
  const { assigned, batches } = await reader.next(200);
  await reader.begin((assigned ?? []).map((id) => ({ ...id, offset: undefined })));
  for (const { messages } of batches) {
    for (const { value } of messages) if (!codec.decode(value).ok) throw new Error("a message does not decode");
    if (!started && messages.length > 0) process.send?.("started");
    started ||= messages.length > 0;
  }
}

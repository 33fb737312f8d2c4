import { createRequire } from "node:module";
import { expect, onTestFinished, test } from "vitest";
import { kafkaEnv, loadConfig } from "../../../../../../services/common/config.ts";
import { createKafka } from "../../../../../../services/common/kafka/client.ts";
import { checkKafkajs } from "../../../../../../services/common/kafka/internals/check-kafkajs.ts";
import { createLog } from "../../../../../../services/common/log.ts";

const require = createRequire(import.meta.url);
const kafka = createKafka("test", loadConfig(kafkaEnv, { KAFKA_BROKERS: "127.0.0.1:9" }), createLog("test", "silent"));

/** Removes the member, as if a new kafkajs did not have it. */
function takeAway(path: string, member: string): void {
  const { prototype } = require(`kafkajs/src/${path}`);
  const had = prototype[member];
  delete prototype[member];
  onTestFinished(() => {
    prototype[member] = had;
  });
}

test("with the kafkajs that is installed, all that tracklog uses of it is there and all replacements are in place", () => {
  expect(() => checkKafkajs(kafka, {})).not.toThrow();
});

test.each([
  ["protocol/decoder.js", "readTaggedFields", "protocol/decoder: readTaggedFields"],
  [
    "network/requestQueue/index.js",
    "scheduleCheckPendingRequests",
    "network/requestQueue: scheduleCheckPendingRequests",
  ],
  ["broker/index.js", "produce", "broker: produce"],
  ["consumer/consumerGroup.js", "heartbeat", "consumer/consumerGroup: heartbeat"],
  ["cluster/index.js", "findLeaderForPartitions", "private:Kafka:createCluster: findLeaderForPartitions"],
])("a kafkajs whose %s has no %s is refused, with its version and the name", (path, member, named) => {
  takeAway(path, member);

  expect(() => checkKafkajs(kafka, {})).toThrow(`tracklog does not work with kafkajs 2.2.4: ${named}`);
});

test("a replacement that is not in place is named", () => {
  expect(() => checkKafkajs(kafka, { batches: true, encoders: false })).toThrow("encoders: not replaced");
});

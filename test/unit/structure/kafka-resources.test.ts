// Topics, rights and groups in the resources of Strimzi and KEDA are those of the code.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { groupName, type Topic, topics, topicsOf } from "../../../schemas/topics.ts";
import { provisionEnv } from "../../../services/cli/provision/config.ts";
import { settingsOf } from "../../../services/common/kafka/write/topic-settings.ts";
import { kafkaUsers } from "../../deploy/kafka-users.ts";
import { parseEnvFile } from "../../deploy/pods.ts";
import { roles } from "../../deploy/processes.ts";

const read = (file: string) => readFileSync(new URL(`../../../k8s/${file}`, import.meta.url), "utf8");
const resources = <T>(file: string, schema: z.ZodType<T>): T[] =>
  z.array(schema).parse(parseAllDocuments(read(file)).map((document) => document.toJS()));

const env = { ...parseEnvFile(read("base/config.env")), ...parseEnvFile(read("overlays/production/config.env")) };
const { CAMERA_PARTITIONS, CAMERA_LOG_RETENTION_MS, TOPIC_REPLICATION_FACTOR } = provisionEnv.parse(env);
const names = Object.keys(topics) as Topic[];

const kafkaTopic = z.object({
  kind: z.literal("KafkaTopic"),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    partitions: z.number(),
    replicas: z.number(),
    config: z.record(z.string(), z.union([z.string(), z.number()]).transform(String)),
  }),
});

test("the topics are those of the code, with its settings", () => {
  const wanted = topicsOf("", CAMERA_PARTITIONS, CAMERA_LOG_RETENTION_MS).map((topic) => ({
    kind: "KafkaTopic",
    metadata: { name: topic.name },
    spec: {
      partitions: topic.partitions,
      replicas: TOPIC_REPLICATION_FACTOR,
      config: Object.fromEntries(settingsOf(topic, TOPIC_REPLICATION_FACTOR)),
    },
  }));

  expect(resources("overlays/production/topics.yaml", kafkaTopic)).toEqual(wanted);
});

const users = kafkaUsers();

const aclsOf = (name: string) => {
  const user = users.find(({ metadata }) => metadata.name === `tracklog-${name}`);
  if (user === undefined) throw new Error(`there is no user of ${name}`);
  return user.spec.authorization.acls;
};

const permitted = (name: string, type: string, operation: string) =>
  aclsOf(name).flatMap(({ resource, operations }) =>
    resource.type === type && operations.includes(operation) ? [resource.name] : [],
  );

const involved = (side: "writers" | "readers", name: string) =>
  names.filter((topic) => (topics[topic][side] as readonly string[]).includes(name));

test.each(Object.keys(roles))("%s may write and read its topics, and no others", (name) => {
  expect(permitted(name, "topic", "Write").toSorted()).toEqual(involved("writers", name).toSorted());
  expect(permitted(name, "topic", "Read").toSorted()).toEqual(
    [...new Set([...involved("readers", name), "catalog"])].toSorted(),
  );
  for (const operation of ["Create", "Alter", "AlterConfigs", "Delete", "All"]) {
    expect([operation, permitted(name, "topic", operation)]).toEqual([operation, []]);
  }
});

test.each(Object.keys(roles))("%s may use its own groups, and see that of the state machines", (name) => {
  expect(permitted(name, "group", "Read")).toContain(groupName("", name));
  const seen = permitted(name, "group", "Describe");
  expect(seen.some((prefix) => groupName("", "state-machine").startsWith(prefix))).toBe(true);
});

const scaledObject = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    scaleTargetRef: z.object({ name: z.string() }),
    minReplicaCount: z.number(),
    maxReplicaCount: z.number(),
    triggers: z.array(z.object({ type: z.string(), metadata: z.record(z.string(), z.string()) })),
  }),
});
const byLag = resources("components/autoscaling/by-lag.yaml", scaledObject);
const byCpu = resources("components/autoscaling/by-cpu.yaml", scaledObject);

test("replicas follow the lag of the group and topic that the role reads, up to the number of partitions", () => {
  expect(byLag.map(({ metadata }) => metadata.name)).toEqual(["state-machine", "projector", "webhooks"]);
  for (const { metadata, spec } of byLag) {
    const [trigger] = spec.triggers;
    expect(trigger?.metadata).toMatchObject({
      consumerGroup: groupName("", metadata.name),
      bootstrapServers: env["KAFKA_BROKERS"],
    });
    expect(involved("readers", metadata.name)).toContain(trigger?.metadata["topic"]);
    expect(spec.maxReplicaCount).toBeLessThanOrEqual(CAMERA_PARTITIONS);
  }
});

test("no scaler goes down to nothing, and each has a role", () => {
  for (const { metadata, spec } of [...byLag, ...byCpu]) {
    expect(spec.minReplicaCount).toBeGreaterThan(0);
    expect(roles).toHaveProperty([spec.scaleTargetRef.name]);
    expect(metadata.name).toBe(spec.scaleTargetRef.name);
  }
});

// The rights that operators give: in Kafka those of the production overlay, in Redis those of docs/security.md.
import { readFileSync } from "node:fs";
import kafkajs, { type AclEntry } from "kafkajs";
import { kafkaUsers } from "../../deploy/kafka-users.ts";

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

const resourceTypes = { topic: "TOPIC", group: "GROUP", transactionalId: "TRANSACTIONAL_ID" } as const;

/** In kafkajs' form. */
export function kafkaRights(): { readonly users: readonly string[]; readonly acls: AclEntry[] } {
  const users = kafkaUsers();
  const acls = users.flatMap(({ metadata, spec }) =>
    spec.authorization.acls.flatMap(({ resource, operations }) =>
      operations.map((operation) => ({
        principal: `User:${metadata.name}`,
        host: "*",
        permissionType: kafkajs.AclPermissionTypes.ALLOW,
        operation: operationOf(operation),
        resourceType: kafkajs.AclResourceTypes[resourceTypes[resource.type]],
        resourceName: resource.name,
        resourcePatternType: kafkajs.ResourcePatternTypes[resource.patternType === "prefix" ? "PREFIXED" : "LITERAL"],
      })),
    ),
  );
  return { users: users.map(({ metadata }) => metadata.name), acls };
}

/** Strimzi writes DescribeConfigs, Kafka's protocol DESCRIBE_CONFIGS. */
function operationOf(name: string): number {
  const found = Object.entries(kafkajs.AclOperationTypes).find(
    ([each]) => each.replaceAll("_", "") === name.toUpperCase(),
  );
  if (typeof found?.[1] !== "number") throw new Error(`Kafka knows no operation ${name}`);
  return found[1];
}

/** Lines of Redis' configuration, with PASSWORD in the place of each password. */
export const redisUsers = (): readonly string[] =>
  [...read("docs/security.md").matchAll(/^ {4}(user .+)$/gm)].map(([, line = ""]) => line);

/** The same lines on a Cluster. */
export function redisClusterUsers(): readonly string[] {
  const [, rights = ""] = /On a Cluster each of them needs besides: `([^`]+)`/.exec(read("docs/security.md")) ?? [];
  return redisUsers().map((line) => `${line} ${rights}`);
}

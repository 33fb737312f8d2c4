// The users of Kafka in the production overlay, as Strimzi's resources name them.
import { readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";
import { z } from "zod";

const kafkaUser = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    authorization: z.object({
      acls: z.array(
        z.object({
          resource: z.object({
            type: z.enum(["topic", "group", "transactionalId"]),
            name: z.string(),
            patternType: z.enum(["literal", "prefix"]),
          }),
          operations: z.array(z.string()),
        }),
      ),
    }),
  }),
});

export type KafkaUser = z.output<typeof kafkaUser>;

export function kafkaUsers(): KafkaUser[] {
  const text = readFileSync(new URL("../../k8s/overlays/production/users.yaml", import.meta.url), "utf8");
  return z.array(kafkaUser).parse(parseAllDocuments(text).map((document) => document.toJS()));
}

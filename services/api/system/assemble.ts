// The system as the API knows it: what it asks of the broker and of the stores.
import { createRequire } from "node:module";
import type { ClickHouseClient } from "@clickhouse/client";
import type { Admin, Kafka } from "kafkajs";
import { z } from "zod";
import type { Codec } from "../../../schemas/codec.ts";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import type { Part } from "../../common/lifecycle.ts";
import type { Log } from "../../common/log.ts";
import type { RedisClient } from "../../common/redis/client.ts";
import { readNewestHeads } from "../../recorded/letters.ts";
import type { StoreProbes } from "./stores.ts";
import { createSystem, type ShownLetter, type System } from "./system.ts";

export interface SystemSources {
  readonly namespace: string;
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly clickhouse: ClickHouseClient;
  readonly redis: RedisClient;
  /** Begins the names of the API's groups. */
  readonly groupPrefix: string;
  readonly log: Log;
}

const { version }: { readonly version: string } = createRequire(import.meta.url)("../../../package.json");

const NEWEST_LETTERS = 50;
const versionRows = z.tuple([z.object({ version: z.string() })]);

export function assembleSystem(sources: SystemSources): { readonly system: System; readonly part: Part } {
  const admin = sources.kafka.admin();
  const { namespace } = sources;
  return {
    system: createSystem({
      version,
      admin,
      namespace,
      probes: probesOf(sources, admin),
      newestLetters: () => newestLetters(sources),
    }),
    part: { name: "admin of the system", start: admin.connect, stop: admin.disconnect },
  };
}

const probesOf = ({ namespace, clickhouse, redis }: SystemSources, admin: Admin): StoreProbes => ({
  Kafka: async () => void (await admin.describeCluster()),
  Redis: async () => void (await redis.exists(partitionKeys(namespace, 0).position)),
  ClickHouse: async () => {
    const answer = await clickhouse.query({ query: "SELECT version() AS version", format: "JSONEachRow" });
    return versionRows.parse(await answer.json())[0].version;
  },
});

async function newestLetters(sources: SystemSources): Promise<ShownLetter[]> {
  const { heads } = await readNewestHeads(sources, NEWEST_LETTERS);
  const prefix = sources.namespace === "" ? "" : `${sources.namespace}.`;
  return [...heads.values()]
    .sort((a, b) => b.recordedAt - a.recordedAt)
    .map(({ topic, redriven, ...letter }) => ({
      ...letter,
      topic: topic.startsWith(prefix) ? topic.slice(prefix.length) : topic,
      redrivenAt: redriven?.redrivenAt,
    }));
}

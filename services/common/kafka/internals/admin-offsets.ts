// Lets kafkajs' admin find offsets while other calls are under way. kafkajs fetches metadata, ends and beginnings one
// after the other, and a call for another topic replaces the metadata in between. The first call then fails with a
// TypeError, or leaves partitions out. A group then seems to have no offsets at all. This module finds the partitions
// and their leaders once for all parts of a call.
import { createRequire } from "node:module";
import type { Admin, AdminConfig, Kafka } from "kafkajs";
import { clusterKeyOf } from "./cluster.ts";
import { createLeaders, type Leaders, type LeadersCluster } from "./leaders.ts";

const require = createRequire(import.meta.url);
const { prototype: client }: { readonly prototype: Kafka } = require("kafkajs/src/index.js");
const byKafkaJs = client.admin;
/** Kafka's special timestamps for the end and the beginning of a partition. */
const LATEST = -1;
const EARLIEST = -2;
/** Offset in an answer: every message is older than the timestamp, or the group has committed none. */
const NONE = "-1";

export interface TopicEnd {
  readonly topic: string;
  readonly partition: number;
  /** Offset that the next message for readers will get. */
  readonly high: number;
}

/** The part of our admins that those of kafkajs do not have. */
interface EndsAdmin {
  fetchLedEnds(topics: readonly string[]): Promise<readonly TopicEnd[]>;
}

const hasEnds = (admin: Admin): admin is Admin & EndsAdmin => "fetchLedEnds" in admin;

/** Resolves with the ends of the partitions that have a leader, at the cost of one request to each broker. */
export async function ledEnds(admin: Admin, topics: readonly string[]): Promise<readonly TopicEnd[]> {
  if (!hasEnds(admin)) throw new Error("the admin is not ours");
  return admin.fetchLedEnds(topics);
}

type GroupOffsets = Parameters<Admin["fetchOffsets"]>[0];

/**
 * Replaces the admin's functions for the whole process.
 * @returns true when our functions are in place.
 */
export function useOwnOffsets(): boolean {
  client.admin = function (this: Kafka, options?: AdminConfig) {
    const made: LeadersCluster[] = [];
    const key = clusterKeyOf(this);
    const create: (options: object) => LeadersCluster = Reflect.get(this, key);
    const noticing = (asked: object) => {
      const cluster = create(asked);
      made.push(cluster);
      return cluster;
    };
    const admin = byKafkaJs.call(Object.create(this, { [key]: { value: noticing } }), options);
    const [cluster] = made;
    if (cluster === undefined) throw new Error("the admin of this kafkajs has no cluster");
    return Object.assign(admin, offsetsOf(admin, createLeaders(cluster)));
  };
  return typeof byKafkaJs === "function";
}

function offsetsOf({ disconnect, fetchOffsets }: Admin, leaders: Leaders) {
  return {
    async fetchOffsets(asked: GroupOffsets): ReturnType<Admin["fetchOffsets"]> {
      const { groupId, topics, resolveOffsets = false } = asked;
      if (topics === undefined || topics.length === 0 || resolveOffsets) return fetchOffsets(asked);
      // Without topics, kafkajs asks the coordinator for all offsets of the group, and no broker for partitions.
      const found = new Map((await fetchOffsets({ groupId })).map(({ topic, partitions }) => [topic, partitions]));
      return Promise.all(
        topics.map(async (topic) => {
          const known = new Map(found.get(topic)?.map((each) => [each.partition, each]));
          const { partitions } = await leaders.of(topic);
          const all = partitions.toSorted((a, b) => a - b);
          return {
            topic,
            partitions: all.map((partition) => known.get(partition) ?? { partition, offset: NONE, metadata: null }),
          };
        }),
      );
    },

    async fetchTopicOffsets(topic: string) {
      const [highs = [], lows = []] = await listOffsets(leaders, topic, [LATEST, EARLIEST]);
      const lowOf = new Map(lows.map(({ partition, offset }) => [partition, offset]));
      return highs.flatMap(({ partition, offset }) => {
        const low = lowOf.get(partition);
        return low === undefined ? [] : [{ partition, offset, high: offset, low }];
      });
    },

    async fetchTopicOffsetsByTimestamp(topic: string, timestamp?: number) {
      const [highs = [], found = []] = await listOffsets(leaders, topic, [LATEST, timestamp ?? LATEST]);
      const firstOf = new Map(found.map(({ partition, offset }) => [partition, offset]));
      return highs.flatMap(({ partition, offset: high }) => {
        const first = firstOf.get(partition);
        return first === undefined ? [] : [{ partition, offset: first === NONE ? high : first }];
      });
    },

    async fetchLedEnds(topics: readonly string[]): Promise<readonly TopicEnd[]> {
      const answers = (await leaders.ofAll(topics)).map(async ({ connected, topics: led }) => {
        const asked = led.map(({ topic, partitions }) => ({
          topic,
          partitions: partitions.map((partition) => ({ partition, timestamp: LATEST })),
        }));
        const { responses } = await (await connected()).listOffsets({ topics: asked });
        return responses.flatMap(({ topic, partitions }) =>
          partitions.map(({ partition, offset }) => ({ topic, partition, high: Number(offset) })),
        );
      });
      return (await Promise.all(answers)).flat();
    },

    async disconnect() {
      await leaders.close();
      await disconnect();
    },
  };
}

type Listed = readonly { readonly partition: number; readonly offset: string }[];

/**
 * Lists the offsets of the partitions that have a leader, the same partitions for each time. Rejects when a leader does
 * not answer for one of them.
 */
async function listOffsets(leaders: Leaders, topic: string, times: readonly number[]): Promise<readonly Listed[]> {
  const { leaders: asked } = await leaders.of(topic);
  const found: Listed[] = [];
  // The times are requested one after the other, the end first. An end that was fetched later could be after the first
  // message since the time, although the other answer did not have that message.
  for (const timestamp of times) {
    const answers = asked.map(async ({ connected, partitions }) => {
      const broker = await connected();
      const topics = [{ topic, partitions: partitions.map((partition) => ({ partition, timestamp })) }];
      const { responses } = await broker.listOffsets({ topics });
      return responses.flatMap((response) => response.partitions);
    });
    found.push((await Promise.all(answers)).flat());
  }
  return found;
}

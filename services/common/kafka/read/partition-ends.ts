// Finds the end of each partition of a topic. kafkajs' admin answers for no partition while one of them has no leader,
// and reports the end for readers only; this module asks each leader by itself.
import { createRequire } from "node:module";
import type { Kafka } from "kafkajs";
import { createCluster } from "../internals/cluster.ts";
import { createLeaders, type Leader, type LeadersCluster, type ListedOffsets } from "../internals/leaders.ts";
import type { ConnectionPool } from "../internals/metadata.ts";
import { whileRetriable } from "../offsets.ts";

/** Offset that the next message of a partition will get, by partition; undefined while no leader answers for it. */
export type EndOffsets = ReadonlyMap<number, number | undefined>;

/**
 * The end for readers is before the first message of an unfinished transaction; the end for writers is after every
 * acknowledged message.
 */
export type EndFor = "readers" | "writers";

export interface PartitionEnds {
  /** Rejects when no broker answers, or none has the topic. */
  ask(topic: string): Promise<EndOffsets>;
  close(): Promise<void>;
}

interface Cluster extends LeadersCluster {
  /** Tries one broker after the other. */
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

type Request = Parameters<ConnectionPool["send"]>[0]["request"];

const require = createRequire(import.meta.url);
const encodeListOffsets: (
  asked: object,
) => Request = require("kafkajs/src/protocol/requests/listOffsets/v3/request.js");
const {
  decode,
}: {
  decode(bytes: Buffer): Promise<ListedOffsets>;
} = require("kafkajs/src/protocol/requests/listOffsets/v3/response.js");

const ISOLATION: Readonly<Record<EndFor, number>> = { writers: 0, readers: 1 };
const NO_REPLICA = -1;
const LATEST = -1;
const NO_ERROR = 0;

/** Connections are made when they are needed, and kept until `close`. */
export function createPartitionEnds(kafka: Kafka, endFor: EndFor): PartitionEnds {
  const cluster = createCluster<Cluster>(kafka);
  const known = createLeaders(cluster);

  async function askLeader(leader: Leader, topic: string): Promise<EndOffsets> {
    const partitions = leader.partitions.map((partition) => ({ partition, timestamp: LATEST }));
    const asked = { replicaId: NO_REPLICA, isolationLevel: ISOLATION[endFor], topics: [{ topic, partitions }] };
    try {
      const { connectionPool } = await leader.connected();
      const listed = await connectionPool.send({
        request: encodeListOffsets(asked),
        // kafkajs would refuse the whole answer for the error of one partition.
        response: { decode, parse: async (answer) => answer },
      });
      const found = listed.responses.flatMap((response) => response.partitions);
      return new Map(
        found.map(({ partition, errorCode, offset }) => [
          partition,
          errorCode === NO_ERROR ? Number(offset) : undefined,
        ]),
      );
    } catch {
      // The leader is unavailable. The other leaders still answer, and the next request finds the new one.
      return new Map();
    }
  }

  return {
    ask: (topic) =>
      whileRetriable(async () => {
        await cluster.connect();
        const { partitions, leaders } = await known.of(topic);
        const answers = await Promise.all(leaders.map((leader) => askLeader(leader, topic)));
        const ends = new Map(answers.flatMap((each) => [...each]));
        return new Map(partitions.map((partition) => [partition, ends.get(partition)]));
      }),

    async close() {
      await known.close();
      await cluster.disconnect();
    },
  };
}

/** Asks once, on connections of its own. */
export async function askPartitionEnds(kafka: Kafka, topic: string, endFor: EndFor): Promise<EndOffsets> {
  const ends = createPartitionEnds(kafka, endFor);
  try {
    return await ends.ask(topic);
  } finally {
    await ends.close();
  }
}

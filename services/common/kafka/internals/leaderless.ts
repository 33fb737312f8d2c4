// Lets kafkajs work beside a partition without a leader. kafkajs refuses the metadata of all topics while one partition
// has no leader: with one copy of each partition, one unavailable broker would stop all work with all partitions. With
// these changes requests leave such partitions out, and kafkajs fetches metadata again every second until they have
// leaders.
import { createRequire } from "node:module";

interface PartitionMetadata {
  partitionErrorCode: number;
  readonly leader: number;
}

interface Metadata {
  readonly topicMetadata: readonly { readonly partitionMetadata: readonly PartitionMetadata[] }[];
}

interface ResponseModule {
  parse(data: Metadata): Promise<Metadata>;
}

interface BrokerPool {
  metadata: Metadata | null;
  metadataExpireAt: number | null;
  refreshMetadata(topics: readonly string[]): Promise<unknown>;
}

type ByLeader = Record<string, readonly number[]>;

interface TopicOffsets {
  readonly topic: string;
  readonly partitions: readonly unknown[];
}

interface Cluster {
  findLeaderForPartitions(topic: string, partitions: readonly unknown[]): ByLeader;
  fetchTopicsOffset(topics: readonly TopicOffsets[]): Promise<readonly TopicOffsets[]>;
}

const require = createRequire(import.meta.url);
export const METADATA_VERSIONS = [0, 1, 2, 3, 4, 5, 6];
const NO_LEADER = -1;
const NO_ERROR = 0;
/** The maximum age of a client's metadata while one of its partitions has no leader, ms. */
export const REFRESH_MS = 1_000;

let done = false;

/** Takes effect for the whole process; repeated calls have no effect. */
export function useLedPartitions(): void {
  if (done) return;
  done = true;
  for (const version of METADATA_VERSIONS) acceptLeaderless(version);
  const pool: { readonly prototype: BrokerPool } = require("kafkajs/src/cluster/brokerPool.js");
  refreshSoon(pool.prototype);
  const cluster: { readonly prototype: Cluster } = require("kafkajs/src/cluster/index.js");
  leaveOut(cluster.prototype);
}

function acceptLeaderless(version: number): void {
  const response: ResponseModule = require(`kafkajs/src/protocol/requests/metadata/v${version}/response.js`);
  const { parse } = response;
  response.parse = (data) => {
    for (const partition of partitionsOf(data)) {
      if (partition.leader === NO_LEADER) partition.partitionErrorCode = NO_ERROR;
    }
    return parse(data);
  };
}

function refreshSoon(pool: BrokerPool): void {
  const { refreshMetadata } = pool;
  pool.refreshMetadata = async function (this: BrokerPool, topics) {
    const answer = await refreshMetadata.call(this, topics);
    const isLeaderless =
      this.metadata !== null && partitionsOf(this.metadata).some(({ leader }) => leader === NO_LEADER);
    if (isLeaderless) this.metadataExpireAt = Math.min(this.metadataExpireAt ?? 0, Date.now() + REFRESH_MS);
    return answer;
  };
}

/**
 * Leaves partitions without a leader out of requests. A write is then acknowledged without the messages of these
 * partitions, and offsets are those of the others.
 */
function leaveOut(cluster: Cluster): void {
  const { findLeaderForPartitions, fetchTopicsOffset } = cluster;
  cluster.findLeaderForPartitions = function (this: Cluster, topic, partitions) {
    const { [NO_LEADER]: _leaderless, ...led } = findLeaderForPartitions.call(this, topic, partitions);
    return led;
  };
  cluster.fetchTopicsOffset = async function (this: Cluster, topics) {
    const found = await fetchTopicsOffset.call(this, topics);
    // kafkajs expects an answer for each topic.
    return topics.map(({ topic }) => found.find((each) => each.topic === topic) ?? { topic, partitions: [] });
  };
}

const partitionsOf = ({ topicMetadata }: Metadata): PartitionMetadata[] =>
  topicMetadata.flatMap(({ partitionMetadata }) => partitionMetadata);

// Claims of partitions in Redis: a new owner must not read the state while an earlier one may still be writing it.
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import type { RedisClient } from "../../common/redis/client.ts";
import { liveScripts } from "./live-scripts.ts";

/** The writer, with its log and settings. */
export interface Owner {
  /** Each takeover has a name of its own, so that a write whose answer was lost is recognized. */
  readonly name: string;
  /** Id of the camera-log that the positions belong to. */
  readonly logId: string;
  /** Settings that shape results, as one text. */
  readonly settings: string;
}

export interface PartitionClaims {
  /** @returns false while an earlier owner may still be writing: it has not let go, and it saved a moment ago. */
  isFree(partition: number): Promise<boolean>;
  /** Records that this owner is at work, from before its first save on. */
  claim(partition: number, owner: Owner): Promise<void>;
  /** Records that this owner is still at work without saving, unless another owner has claimed the partition. */
  renewClaim(partition: number, owner: Owner): Promise<void>;
  /** Records that this owner writes no more. */
  release(partition: number, owner: Owner): Promise<void>;
}

/** An owner saves, or records that it is at work, at least every two seconds; Redis' clock is read in whole seconds. */
const GONE_AFTER_S = 3;

export function createPartitionClaims(redis: RedisClient, namespace: string): PartitionClaims {
  const positionOf = (partition: number) => partitionKeys(namespace, partition).position;

  return {
    async isFree(partition) {
      const keys = { position: positionOf(partition), goneAfterSeconds: GONE_AFTER_S };
      return (await liveScripts.isFree(redis, keys)) === 1;
    },

    async claim(partition, owner) {
      await liveScripts.claim(redis, { position: positionOf(partition), owner: owner.name });
    },

    async renewClaim(partition, owner) {
      await liveScripts.renewClaim(redis, { position: positionOf(partition), owner: owner.name });
    },

    async release(partition, owner) {
      await liveScripts.release(redis, { position: positionOf(partition), owner: owner.name });
    },
  };
}

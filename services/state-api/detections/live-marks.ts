// The part of live state that shows whether a kept track is still complete.
import { parseTrack } from "../../../projections/live/stored.ts";
import { isSeenLater } from "../../../projections/track/seen-last.ts";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import type { RedisClient } from "../../common/redis/client.ts";
import { askGroups, commandGroups } from "../../common/redis/cluster.ts";
import type { LiveMark } from "./read-tracks.ts";

/**
 * Only the data source determines a track's partition, and the caller names none: so all partitions are read at once.
 */
export function createLiveMarks(redis: RedisClient, namespace: string, partitions: number) {
  const keys = Array.from({ length: partitions }, (_, partition) => partitionKeys(namespace, partition).tracks);
  const groups = commandGroups(redis, keys);
  return async (trackIds: readonly string[]): Promise<ReadonlyMap<string, LiveMark>> => {
    const read = async (group: readonly string[]) => {
      const pipeline = redis.pipeline();
      for (const key of group) pipeline.hmget(key, ...trackIds);
      return (await pipeline.exec()) ?? [];
    };
    const marks = new Map<string, LiveMark>();
    for (const [error, texts] of await askGroups(groups, read)) {
      if (error !== null) throw error;
      for (const text of texts as (string | null)[]) {
        if (text !== null) addMark(marks, text);
      }
    }
    return marks;
  };
}

function addMark(marks: Map<string, LiveMark>, text: string): void {
  const { trackId, dataSourceId, phase, firstSeen, lastSeen, detections } = parseTrack(text);
  const before = marks.get(trackId);
  if (before !== undefined && isSeenLater(before, { dataSourceId, lastSeen })) return;
  const mark = `${firstSeen} ${lastSeen} ${detections} ${dataSourceId}`;
  marks.set(trackId, { dataSourceId, isLive: phase === "live", lastSeen, mark });
}

// What live state knows of tracks, as far as it says whether a kept track is still the whole truth.
import type { Redis } from "ioredis";
import { parseTrack } from "../../../projections/live/stored.ts";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import type { LiveMark } from "./read-tracks.ts";

/** Only the data source gives a track's partition, and the caller names none: so all partitions are asked at once. */
export function createLiveMarks(redis: Redis, namespace: string, partitions: number) {
  const keys = Array.from({ length: partitions }, (_, partition) => partitionKeys(namespace, partition).tracks);
  return async (trackIds: readonly string[]): Promise<ReadonlyMap<string, LiveMark>> => {
    const pipeline = redis.pipeline();
    for (const key of keys) pipeline.hmget(key, ...trackIds);
    const marks = new Map<string, LiveMark>();
    for (const [error, texts] of (await pipeline.exec()) ?? []) {
      if (error !== null) throw error;
      for (const text of texts as (string | null)[]) {
        if (text !== null) addMark(marks, text);
      }
    }
    return marks;
  };
}

function addMark(marks: Map<string, LiveMark>, text: string): void {
  const { trackId, phase, firstSeen, lastSeen, detections } = parseTrack(text);
  // Several data sources may give tracks the same id: the one that was seen last counts.
  if ((marks.get(trackId)?.lastSeen ?? Number.NEGATIVE_INFINITY) > lastSeen) return;
  marks.set(trackId, { isLive: phase === "live", lastSeen, mark: `${firstSeen} ${lastSeen} ${detections}` });
}

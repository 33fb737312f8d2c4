import { createPartitionOf } from "../../common/kafka/partition-of.ts";
import { createRecorded } from "../../recorded/recorded.ts";
import type { RestArea, Shared } from "../shared/shared.ts";
import { createMoments } from "./moments.ts";
import { createReadLive } from "./read-live.ts";
import { liveRoutes } from "./routes.ts";

export function liveArea({ config, codec, log, kafka, namespace, liveRedis, catalog, zones }: Shared): RestArea {
  const partitions = config.CAMERA_PARTITIONS;
  // The folds of past moments bound their share of the process themselves (moments.ts).
  const throttle = () => Promise.resolve();
  const recorded = createRecorded({ config, codec, kafka, log, throttle });
  const { STATE_API_PAST_QUERIES: most, STATE_API_PAST_QUERY_MS: limitMs } = config;
  const partitionOf = createPartitionOf(new Map([["camera-log", partitions]]));
  return {
    routes: liveRoutes({
      live: createReadLive(liveRedis, namespace, partitions),
      moments: createMoments({ recorded, zones, fold: config, most, limitMs }),
      catalog,
      zones,
      partitionOf: (dataSourceId) => partitionOf("camera-log", dataSourceId),
      endedTrackMs: config.STATE_API_ENDED_TRACK_MS,
      now: Date.now,
    }),
    parts: recorded.parts,
  };
}

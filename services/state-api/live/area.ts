import { createPartitionOf } from "../../common/kafka/partition-of.ts";
import type { RestArea, Shared } from "../shared/shared.ts";
import { createReadLive } from "./read-live.ts";
import { liveRoutes } from "./routes.ts";

export function liveArea({ config, namespace, liveRedis, catalog, zones }: Shared): RestArea {
  const partitions = config.CAMERA_PARTITIONS;
  const partitionOf = createPartitionOf(new Map([["camera-log", partitions]]));
  return {
    routes: liveRoutes({
      live: createReadLive(liveRedis, namespace, partitions),
      catalog,
      zones,
      partitionOf: (dataSourceId) => partitionOf("camera-log", dataSourceId),
      endedTrackMs: config.STATE_API_ENDED_TRACK_MS,
      now: Date.now,
    }),
  };
}

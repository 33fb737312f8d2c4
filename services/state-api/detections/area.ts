import { closestFrameRoutes } from "../routes/closest-frame.ts";
import { snapshotRoutes } from "../routes/snapshot.ts";
import type { Area, Shared } from "../shared.ts";
import { createKeptTracks } from "./kept-tracks.ts";
import { createLiveMarks } from "./live-marks.ts";
import { createReadTracks } from "./read-tracks.ts";
import { createSourceOf } from "./source-of.ts";

/** Where tracks were: snapshots and closest frames, from recorded detections. */
export function detectionsArea({ config, namespace, log, upstream, zones, zonesAsOf, ...shared }: Shared): Area {
  const kept = createKeptTracks({
    redis: shared.redis(3),
    namespace,
    ttlSeconds: config.DETECTION_TTL,
    maxTracks: config.STATE_API_KEPT_TRACKS,
  });
  const live = createLiveMarks(shared.liveRedis, namespace, config.CAMERA_PARTITIONS);
  const now = Date.now;
  const tracks = createReadTracks({ kept, live, log, now });
  const sourceOf = createSourceOf(upstream, now);
  return {
    routes: [
      ...closestFrameRoutes({ tracks, sourceOf }),
      ...snapshotRoutes({ tracks, sourceOf, zones, zonesAsOf, now }),
    ],
  };
}

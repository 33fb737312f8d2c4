import type { RestArea, Shared } from "../shared/shared.ts";
import { closestFrameRoutes } from "./closest-frame-route.ts";
import { createKeptTracks } from "./kept-tracks.ts";
import { createLiveMarks } from "./live-marks.ts";
import { createReadTracks } from "./read-tracks.ts";
import { snapshotRoutes } from "./snapshot-route.ts";
import { createSourceOf } from "./source-of.ts";

/** Serves /snapshot and the closest-frame routes. */
export function detectionsArea({ config, namespace, log, upstream, zones, zonesAsOf, ...shared }: Shared): RestArea {
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

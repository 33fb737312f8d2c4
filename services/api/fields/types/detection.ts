import { deviceIdOf } from "../../../../projections/catalog/placed.ts";
import type { DetectionRecord } from "../../../../projections/history/queries/records.ts";
import type { ShownTrack } from "../../../../projections/track/header.ts";
import { detectionId } from "../../../../schemas/identity.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { parseNullableJson, toPoint, toPolygon } from "./geo.ts";
import { knownGeofence } from "./geofence-intersection.ts";
import { lookUpTrack } from "./track.ts";
import { knownZone } from "./zone.ts";

/**
 * A parent that already has the track, the zones or the geofences of a detection passes them, which saves the look-up.
 */
export interface DetectionSource extends Omit<DetectionRecord, "recordedAt"> {
  readonly recordedAt?: number;
  readonly track?: ShownTrack;
  readonly zoneIds?: readonly string[];
  readonly geofenceIds?: readonly string[];
}

const zoneIds = (detection: DetectionSource, _args: unknown, context: ApiContext) =>
  detection.zoneIds ?? context.loaders.zoneIds(detection);

const geofenceIds = (detection: DetectionSource, _args: unknown, context: ApiContext) =>
  detection.geofenceIds ?? context.loaders.geofenceIds(detection);

/** Only a look-up makes it a promise: a message of a subscription has the track. */
const trackOf = (detection: DetectionSource, _args: unknown, context: ApiContext): ShownTrack | Promise<ShownTrack> =>
  detection.track ?? lookUpTrack(standInOf(detection), context);

const standInOf = ({ trackId, dataSourceId, timestamp }: DetectionSource) => ({
  trackId,
  dataSourceId,
  tag: "",
  startTime: timestamp,
});

/** At once, if the value is there. */
const whenThere = <Value, Result>(value: Value | Promise<Value>, then: (value: Value) => Result) =>
  value instanceof Promise ? value.then(then) : then(value);

export const detectionResolvers = {
  id: ({ dataSourceId, trackId, timestamp }: DetectionSource) => detectionId(dataSourceId, trackId, timestamp),
  track: trackOf,
  frame: () => null,
  polygon: ({ polygon }: DetectionSource) => (polygon === null ? null : toPolygon(polygon)),
  position: ({ position }: DetectionSource) => (position === null ? null : toPoint(position)),
  zones: (detection: DetectionSource, args: unknown, context: ApiContext) =>
    whenThere(zoneIds(detection, args, context), (ids) => context.budget.take(ids).map((id) => knownZone(context, id))),
  geofences: (detection: DetectionSource, args: unknown, context: ApiContext) =>
    whenThere(geofenceIds(detection, args, context), (ids) =>
      context.budget.take(ids).map((id) => knownGeofence(context, id)),
    ),
  metadata: (detection: DetectionSource) => parseNullableJson(detection.metadata),
  createdAt: (detection: DetectionSource) => detection.recordedAt ?? null,
  updatedAt: (detection: DetectionSource) => detection.recordedAt ?? null,
  zoneIds,
  geofenceIds,
  globalTrackId: (detection: DetectionSource) => detection.trackId,
  deviceId: ({ dataSourceId }: DetectionSource, _args: unknown, { catalog }: Pick<ApiContext, "catalog">) =>
    deviceIdOf(dataSourceId, catalog),
  tag: (detection: DetectionSource, args: unknown, context: ApiContext) =>
    whenThere(trackOf(detection, args, context), ({ tag }) => tag),
};

// The subscription `detectionActivity`: each new detection.
import type { FilterDetectionActivityInput } from "../../schemas/filters.ts";
import { detectionActivityFields } from "../filters/detections.ts";
import { matches } from "../filters/match.ts";
import type { DetectionRecord } from "../history/queries/records.ts";
import type { ShownTrack } from "../track/header.ts";
import { createCameraLogFold } from "./fold-camera-log.ts";
import { dataSourceOf, type FeedKind, type FeedMessage } from "./kind.ts";

export interface DetectionMessage extends FeedMessage {
  readonly kind: "detectionActivity";
  readonly track: ShownTrack;
  readonly detection: DetectionRecord;
}

export const detectionActivity: FeedKind<DetectionMessage, FilterDetectionActivityInput> = {
  field: "detectionActivity",
  topic: "camera-log",
  createFold: createCameraLogFold,
  matches(filter, { detection, track }, deps) {
    return matches(detectionActivityFields, filter, {
      dataSourceId: detection.dataSourceId,
      dataSource: dataSourceOf(detection.dataSourceId, deps),
      tag: track.tag,
      position: detection.position,
      /** A getter, so that only filters over zones or geofences pay for it. */
      get zoneIds() {
        return deps.zonesOf(detection);
      },
      get geofenceIds() {
        return deps.geofencesOf(detection);
      },
    });
  },
  mergeKey: () => undefined,
  rootValue: ({ detection, track }, { zonesOf, geofencesOf }) => ({
    ...detection,
    track,
    /** A getter, so that only selections that ask for zones or geofences pay for it. */
    get zoneIds() {
      return zonesOf(detection);
    },
    get geofenceIds() {
      return geofencesOf(detection);
    },
  }),
};

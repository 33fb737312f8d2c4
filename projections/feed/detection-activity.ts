// The subscription `detectionActivity`: each new detection.
import type { FilterDetectionActivityInput } from "../../schemas/filters.ts";
import { detectionActivityFields } from "../filters/detections.ts";
import { matches } from "../filters/match.ts";
import type { DetectionRecord } from "../history/queries/records.ts";
import type { ShownTrack } from "../track/header.ts";
import { createCameraLogFold } from "./fold-camera-log.ts";
import { dataSourceOf, type FeedKind, type FeedMessage, type RootDeps } from "./kind.ts";

type AreaDeps = Pick<RootDeps, "zonesOf" | "geofencesOf">;

export interface DetectionMessage extends FeedMessage {
  readonly kind: "detectionActivity";
  readonly track: ShownTrack;
  readonly detection: DetectionRecord;
}

/**
 * The zones and geofences that a detection is in. They are getters, so that they are computed only for filters and
 * selections that use them. They belong to a class, because V8 keeps the getters of an object literal, and everything
 * that they refer to, until its next full garbage collection.
 */
class Areas {
  readonly #detection: DetectionRecord;
  readonly #deps: AreaDeps;

  constructor(detection: DetectionRecord, deps: AreaDeps) {
    this.#detection = detection;
    this.#deps = deps;
  }

  get zoneIds(): readonly string[] {
    return this.#deps.zonesOf(this.#detection);
  }

  get geofenceIds(): readonly string[] {
    return this.#deps.geofencesOf(this.#detection);
  }
}

export const detectionActivityFeed: FeedKind<DetectionMessage, FilterDetectionActivityInput> = {
  field: "detectionActivity",
  topic: "camera-log",
  createFold: createCameraLogFold,
  matches(filter, { detection, track }, deps) {
    const candidate = Object.assign(new Areas(detection, deps), {
      dataSourceId: detection.dataSourceId,
      dataSource: dataSourceOf(detection.dataSourceId, deps),
      tag: track.tag,
      position: detection.position,
    });
    return matches(detectionActivityFields, filter, candidate);
  },
  mergeKey: () => undefined,
  rootValue: ({ detection, track }, deps) => Object.assign(new Areas(detection, deps), detection, { track }),
};

import type { MutationDeps } from "../../write/deps.ts";
import { byFreshViews, type MutationResolver } from "../../write/fresh-views.ts";
import { createGeofenceSteps } from "../../write/geofence-steps.ts";
import { createTags } from "../../write/tags.ts";
import { createZoneRoom } from "../../write/zone-room.ts";
import { byHand } from "../by-hand/index.ts";
import { chronicleMutationFields } from "../chronicles/index.ts";
import { listed, mutationFieldsOf, mutationsOf } from "../entities.ts";
import { clip } from "./clip.ts";
import { createDetection, createDetections } from "./create-detections.ts";
import { createMeasurement } from "./create-measurement.ts";
import { createTrack } from "./create-track.ts";
import { updateTrack } from "./update-track.ts";
import { uploadImage } from "./upload-image.ts";
import { createVideo, updateVideo } from "./videos.ts";
import { createZone, deleteZone, updateZone } from "./zones.ts";

const mutations = {
  createTrack,
  updateTrack,
  createDetection,
  createDetections,
  createMeasurement,
  createVideo,
  updateVideo,
  createZone,
  updateZone,
  deleteZone,
  uploadImage,
  clip,
};

interface SharedDeps extends Omit<MutationDeps, "room" | "tags" | "geofences"> {
  readonly viewsComplete: () => Promise<void>;
  /** Of all active geofences together. */
  readonly maxGeofenceVertices: number;
}

/** The resolver map of the Mutation type. */
export function createMutations({ maxGeofenceVertices, viewsComplete, ...shared }: SharedDeps) {
  const { bounds, now, writer } = shared;
  const deps = {
    ...shared,
    room: createZoneRoom(bounds.maxDataSourceVertices),
    tags: createTags(now),
    geofences: createGeofenceSteps(writer, maxGeofenceVertices),
  };
  const all: Readonly<Record<string, MutationResolver>> = {
    ...Object.fromEntries(Object.entries(mutations).map(([name, create]) => [name, create(deps)])),
    ...Object.assign(
      {},
      ...listed.map((each) => {
        const { mutations } = byHand[each.kind] ?? {};
        if (mutations === "none") return {};
        const all = mutations?.(deps) ?? mutationsOf(each, deps);
        const { create, update } = all;
        return mutationFieldsOf(each.kind, each.isKept ? { create, update } : all);
      }),
      ...Object.values(byHand).map(({ moreMutations }) => moreMutations?.(deps)),
    ),
    ...chronicleMutationFields(deps),
  };
  return Object.fromEntries(
    Object.entries(all).map(([name, resolve]) => [name, byFreshViews(name, resolve, viewsComplete)]),
  );
}

import { withoutReferrers } from "../../graphql/payload-scope.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { createGeofenceSteps } from "../../write/geofence-steps.ts";
import { createTags } from "../../write/tags.ts";
import { createVertexQuota } from "../../write/vertex-quota.ts";
import { byHand } from "../by-hand/index.ts";
import { chronicleMutationFields } from "../chronicles/index.ts";
import { listed, mutationFieldsOf } from "../entities.ts";
import { mutationsOf } from "../entity-mutations.ts";
import { recordMutations } from "../records/kinds.ts";
import { clip } from "./clip.ts";
import { createDetection, createDetections } from "./create-detections.ts";
import { createTrack } from "./create-track.ts";
import { byFreshViews, type MutationResolver } from "./fresh-views.ts";
import { updateTrack } from "./update-track.ts";
import { createZone, deleteZone, updateZone } from "./zones.ts";

const mutations = {
  createTrack,
  updateTrack,
  createDetection,
  createDetections,
  createZone,
  updateZone,
  deleteZone,
  clip,
};

interface SharedDeps extends Omit<MutationDeps, "vertexQuota" | "tags" | "geofences"> {
  readonly viewsComplete: () => Promise<void>;
  /** Limit for the vertices of all active geofences together. */
  readonly maxGeofenceVertices: number;
}

/** The resolver map of the Mutation type. */
export function createMutations({ maxGeofenceVertices, viewsComplete, ...shared }: SharedDeps) {
  const { bounds, now, writer } = shared;
  const deps = {
    ...shared,
    vertexQuota: createVertexQuota(bounds.maxDataSourceVertices),
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
    ...recordMutations(deps),
  };
  return Object.fromEntries(
    Object.entries(all).map(([name, resolve]) => [name, refusing(byFreshViews(name, resolve, viewsComplete))]),
  );
}

const refusing =
  (resolve: MutationResolver): MutationResolver =>
  async (root, args, context, ...more) => {
    try {
      return await resolve(root, args, context, ...more);
    } catch (error) {
      throw withoutReferrers(error, context);
    }
  };

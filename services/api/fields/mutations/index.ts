import type { MutationDeps } from "../../write/deps.ts";
import { createZoneRoom } from "../../write/zone-room.ts";
import { byHand } from "../by-hand/index.ts";
import { listed, mutationFieldsOf, mutationsOf } from "../entities.ts";
import { createDetection, createDetections } from "./create-detections.ts";
import { createTrack } from "./create-track.ts";
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
};

/** The resolver map of the Mutation type. */
export function createMutations(shared: Omit<MutationDeps, "room">) {
  const deps = { ...shared, room: createZoneRoom(shared.bounds.maxDataSourceVertices) };
  return {
    ...Object.fromEntries(Object.entries(mutations).map(([name, create]) => [name, create(deps)])),
    ...Object.assign(
      {},
      ...listed.map((each) =>
        mutationFieldsOf(each.kind, byHand[each.kind]?.mutations?.(deps) ?? mutationsOf(each, deps.now)),
      ),
      ...Object.values(byHand).map(({ moreMutations }) => moreMutations?.(deps)),
    ),
  };
}

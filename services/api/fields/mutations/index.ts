import type { MutationDeps } from "../../write/deps.ts";
import { createZoneRoom } from "../../write/zone-room.ts";
import { createDetection, createDetections } from "./create-detections.ts";
import { createTrack } from "./create-track.ts";
import { createDataSource, deleteDataSource, updateDataSource } from "./data-sources.ts";
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
  createDataSource,
  updateDataSource,
  deleteDataSource,
};

/** The resolver map of the Mutation type. */
export function createMutations(shared: Omit<MutationDeps, "room">) {
  const deps = { ...shared, room: createZoneRoom(shared.bounds.maxDataSourceVertices) };
  return Object.fromEntries(Object.entries(mutations).map(([name, create]) => [name, create(deps)]));
}

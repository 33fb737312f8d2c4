import { dataSource } from "../../../../projections/catalog/data-source.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { createZoneRoom } from "../../write/zone-room.ts";
import { mutationFieldsOf } from "../entities.ts";
import { createDetection, createDetections } from "./create-detections.ts";
import { createTrack } from "./create-track.ts";
import { dataSourceMutations } from "./data-sources.ts";
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
    ...mutationFieldsOf(dataSource, dataSourceMutations(deps)),
  };
}

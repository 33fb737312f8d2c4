// An API whose zones are folded in memory. Each data source has a partition of its own, and each version reaches the
// view some milliseconds after its event was written.
import { apply, createPartition, noOutputs, type PartitionState } from "../../../../projections/live/partition.ts";
import type { EventWriter } from "../../../../services/api/write/publish.ts";
import type { KeyedEvent } from "../../../../services/api/write/track-events.ts";
import { liveSettings } from "../../../support/running/live-settings.ts";
import { noWriter } from "../../../support/scenes/catalog.ts";
import { createEntityApi } from "./entity-api.ts";
import { open } from "./support.ts";

interface Partition {
  readonly number: number;
  readonly state: PartitionState;
  end: number;
}

export interface ZoneApiOptions {
  /** The fold's maximum of vertices for a data source. The API itself accepts up to `apiMaxVertices`. */
  readonly foldMaxVertices?: number;
  readonly apiMaxVertices?: number;
  /** Called when a caller waits for the stores that know how far the zones are. */
  readonly zonesReached?: () => Promise<void>;
}

const FOLD_MS = 10;

export async function createZoneApi({
  foldMaxVertices = 1_000,
  apiMaxVertices = 1_000,
  zonesReached = async () => {},
}: ZoneApiOptions = {}) {
  const partitions = new Map<string, Partition>();
  const written: KeyedEvent[] = [];
  const settings = { ...liveSettings, maxSourceVertices: foldMaxVertices };

  function partitionOf(dataSourceId: string): Partition {
    const number = partitions.size;
    const partition = partitions.get(dataSourceId) ?? { number, state: createPartition(number), end: 0 };
    partitions.set(dataSourceId, partition);
    return partition;
  }

  /** Writes a message as another instance or the state machine does. */
  function write(message: KeyedEvent): { partition: number; offset: number } {
    const partition = partitionOf(message.dataSourceId);
    const offset = partition.end++;
    const out = noOutputs();
    apply(partition.state, { offset, recordedAt: Date.now(), message }, settings, out);
    for (const version of out.lists.zones) setTimeout(() => api.zones.apply(version), FOLD_MS);
    written.push(message);
    return { partition: partition.number, offset };
  }

  const writer: EventWriter["cameraLog"] = async (events) =>
    events.map((event) => ({ topic: "camera-log" as const, ...write(event) }));
  const api = await createEntityApi({
    writer: { ...noWriter, cameraLog: writer },
    maxDataSourceVertices: apiMaxVertices,
    gate: { ...open, zones: zonesReached },
  });

  async function createDataSource(name: string): Promise<string> {
    const { createDataSource: made } = await api.data(
      "mutation ($d: CreateDataSourceInput!) { createDataSource(dataSource: $d) { id } }",
      { d: { name, type: "FOLDER" } },
    );
    return made.id;
  }

  async function createZone(dataSourceId: string, vertices = 5, more: object = {}): Promise<string> {
    const zone = { dataSourceId, name: "Gate", polygon: { coordinates: [ring(vertices)] }, ...more };
    return (await api.data(CREATE_ZONE, { zone })).createZone.id;
  }

  const zone = async (id: string) => (await api.data(`{ zone(id: "${id}") { name dataSource { id } } }`)).zone;

  /** The data sources in whose partitions the fold has the zone. */
  const placesOf = (id: string) => [...partitions].flatMap(([at, { state }]) => (state.zones.has(id) ? [at] : []));

  return { ...api, createDataSource, createZone, zone, placesOf, write, written };
}

export const CREATE_ZONE = "mutation ($zone: CreateZoneInput!) { createZone(zone: $zone) { id name } }";
export const UPDATE_ZONE =
  "mutation ($zone: UpdateZoneInput!) { updateZone(zone: $zone) { id name dataSource { id } } }";

/** A closed ring with that many vertices, the last one included. */
export function ring(vertices: number): number[][] {
  const angles = Array.from({ length: vertices - 1 }, (_, i) => (i * 2 * Math.PI) / (vertices - 1));
  return [...angles, 0].map((angle) => [Math.cos(angle) * 9, Math.sin(angle) * 9]);
}
